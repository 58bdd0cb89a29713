import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs `work` with a folder of its own, which is gone afterwards. */
export async function inTempFolder<Result>(
	work: (folder: string) => Promise<Result>,
): Promise<Result> {
	const folder = mkdtempSync(join(tmpdir(), "partnerwire-bench-"));
	try {
		return await work(folder);
	} finally {
		rmSync(folder, { recursive: true });
	}
}
