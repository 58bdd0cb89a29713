import { assets as definition } from "@partnerwire/contract";
import { countCommissions } from "../commissions/uses.ts";
import { createPlain } from "../resource/create-plain.ts";

/**
 * Assets. Who stores a reference to one looks it up as `references.find("asset", …)`, which knows only the company's
 * own (spec 1.2.0), and declares the column's foreign key, by which an asset in use is found. The documents of
 * commissions are inside JSON.
 */
export const assets = createPlain(definition, {
	countUses: (uuid, context) => countCommissions("record", uuid, context),
});
