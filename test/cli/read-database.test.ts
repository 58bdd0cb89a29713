import { expect, test } from "vitest";
import { readDatabase } from "../../admin/src/cli/settings/read-database.ts";

test.each([
	"C:\\Users\\Jörg\\my data\\partnerwire.db",
	"D:/data/partnerwire.db",
	"\\\\nas\\share\\partnerwire.db",
	".\\partnerwire.db",
	"/srv/Zoë/two words.db",
	"per%20cent #1?.db",
])("%s is the path of a database", (path) => {
	expect(readDatabase(path, "--database")).toBe(path);
});
