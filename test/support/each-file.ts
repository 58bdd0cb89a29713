import { afterAll, vi } from "vitest";
import { removeTempFolders } from "../../shared/core/test/support/temp-folder.ts";

// Runs again for each test file, also where files share their modules.
afterAll(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
	removeTempFolders();
});
