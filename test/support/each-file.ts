import { afterAll, vi } from "vitest";
import { removeDatabases } from "../../shared/core/test/support/database.ts";
import { removeTempFolders } from "../../shared/core/test/support/temp-folder.ts";

// Runs for each test file, even if files share their modules.
afterAll(async () => {
	vi.useRealTimers();
	vi.restoreAllMocks();
	removeTempFolders();
	await removeDatabases();
});
