import { assets as definition } from "@partnerwire/contract";
import { countCommissions, referenceTo } from "../commissions/uses.ts";
import { createPlain } from "../resource/create-plain.ts";

/**
 * Assets (docs/decisions.md#assets). To store a reference to an asset, look it up with `references.find("asset", …)`,
 * which finds only assets of the company, and declare a foreign key on the column: assets in use are found by foreign
 * keys. The documents of commissions are inside JSON and are counted separately.
 */
export const assets = createPlain(definition, {
	countUses: (uuid, context) =>
		countCommissions(referenceTo.record(uuid), context),
});
