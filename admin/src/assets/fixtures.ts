import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { EventId } from "@partnerwire/wire";

const require = createRequire(import.meta.url);
/** A file of the fixtures package, as JSON. */
export const readFixtureFile = (path: string) =>
	JSON.parse(
		readFileSync(require.resolve(`@partnerwire/fixtures/${path}`), "utf8"),
	);

/** The body of an event's fixture. */
export const readFixture = (eventId: EventId): Record<string, unknown> =>
	readFixtureFile(`events/${eventId}.json`);
