import { EVENT_IDS } from "@partnerwire/wire";
import type { Plugin } from "vite";

const ID = "virtual:event-examples";
const RESOLVED = `\0${ID}`;

/** The example bodies of the 19 events, each a file of its own that is loaded when it is wanted. */
export function eventExamples(): Plugin {
	const entries = EVENT_IDS.map(
		(id) => `${id}: () => import("@partnerwire/fixtures/events/${id}.json"),`,
	);
	return {
		name: "partnerwire:event-examples",
		resolveId: (id) => (id === ID ? RESOLVED : null),
		load: (id) =>
			id === RESOLVED ? `export default {\n${entries.join("\n")}\n};` : null,
	};
}
