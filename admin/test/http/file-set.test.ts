import { posix, win32 } from "node:path";
import { expect, test } from "vitest";
import { toUrlPath } from "../../src/http/file-set.ts";

test.each([
	["/srv/web dist", "/srv/web dist/assets/ü.js", "/assets/ü.js", posix],
	["/srv/web/", "/srv/web/index.html", "/index.html", posix],
	["web", "web/a\\b.html", "/a\\b.html", posix],
	["C:\\my app\\web", "C:\\my app\\web\\assets\\ü.js", "/assets/ü.js", win32],
	["C:\\app\\web\\", "C:\\app\\web\\index.html", "/index.html", win32],
	["C:/app/web", "C:\\app\\web\\api\\index.html", "/api/index.html", win32],
	["\\\\nas\\share\\web", "\\\\nas\\share\\web\\a.js", "/a.js", win32],
])("below %s, %s is %s in a URL", (folder, file, url, paths) => {
	expect(toUrlPath(folder, file, paths)).toBe(url);
});
