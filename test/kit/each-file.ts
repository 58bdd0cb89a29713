import { afterAll, vi } from "vitest";
import { removeDatabases } from "./database/database.ts";
import { removeTempFolders } from "./temp-folder.ts";

// Runs for each test file, even if files share their modules.
afterAll(async () => {
	vi.useRealTimers();
	vi.restoreAllMocks();
	removeTempFolders();
	await removeDatabases();
});
