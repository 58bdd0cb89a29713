import { copyDatabase, createCipher } from "@partnerwire/core";
import { serveCalls } from "../kit/child.ts";

const calls = {
	/** Copies a database, in a process of its own for its memory. */
	async copy(options: { from: string; to: string; key: string }) {
		const { from, to, key } = options;
		const cipher = createCipher(Buffer.from(key, "hex"));
		const startedAt = performance.now();
		const { rows } = await copyDatabase({
			from,
			to,
			fromCipher: cipher,
			toCipher: cipher,
		});
		return {
			rows,
			seconds: (performance.now() - startedAt) / 1000,
			// Linux gives the peak in kilobytes.
			peakMb: process.resourceUsage().maxRSS / 1024,
		};
	},
};
export type CopyCalls = typeof calls;
serveCalls(calls);
