import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { EventId } from "@partnerwire/contract";
import type { Seed } from "@partnerwire/core";

const require = createRequire(import.meta.url);
const read = (path: string) =>
	JSON.parse(
		readFileSync(require.resolve(`@partnerwire/fixtures/${path}`), "utf8"),
	);

/** The body of an event's fixture. */
export const readFixture = (eventId: EventId): Record<string, unknown> =>
	read(`events/${eventId}.json`);

/** What `--demo` puts into an empty database. */
export const readSeed = (): Seed => read("seed.json");
