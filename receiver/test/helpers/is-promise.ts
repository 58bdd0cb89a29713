import Module, { createRequire } from "node:module";

/*
 * Vitest hands the workspace's resolve conditions on to Node, "import" among them; under that one `require("is-promise")`, which
 * Express's router calls, finds the package's ESM twin and gets a namespace instead of a function. Import this before express.
 */
const require = createRequire(import.meta.url);
const path = require.resolve("is-promise");
const twin = new Module(path);
twin.exports = (value: unknown): boolean =>
	typeof (value as { then?: unknown } | undefined)?.then === "function";
twin.loaded = true;
require.cache[path] = twin;
