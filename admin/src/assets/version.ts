import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** The version of this package. */
export const { version } = require("../../package.json") as { version: string };
