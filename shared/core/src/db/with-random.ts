import type { Random } from "../values/random.ts";
import type { Store } from "./db.ts";

/** The same store, whose writes take ids and secrets from another source. */
export const withRandom = (store: Store, random: Random): Store => ({
	...store,
	write: (work, scope) => store.write((db) => work({ ...db, random }), scope),
});
