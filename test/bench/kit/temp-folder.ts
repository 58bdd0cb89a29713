import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs `work` with a new folder, which is removed afterwards. */
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
