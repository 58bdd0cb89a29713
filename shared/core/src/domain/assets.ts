import { assets as definition } from "@partnerwire/contract";
import { createPlain } from "./create-plain.ts";

/**
 * Assets. Who stores a reference to one looks it up as `references.find("asset", …)`, which knows only the company's
 * own (spec 1.2.0), and declares the column's foreign key, by which an asset in use is found.
 */
export const assets = createPlain(definition);
