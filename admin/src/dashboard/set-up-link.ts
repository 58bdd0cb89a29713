import { randomBytes } from "node:crypto";
import { isEqual } from "../http/is-equal.ts";

const VALID_MS = 3_600_000;

/** What lets one person begin with an empty database, before there is any API key. It lives in this process alone. */
export interface SetUpLink {
	/** Whether the token is the link's, and the link is still valid; that the database is empty is checked when it is used. */
	accepts(token: string): boolean;
	/** The address to open; its fragment is sent to no server and stands in no log. */
	toUrl(base: string): string;
}

/** Makes a link for an hour. It is for a terminal: never write it to a log. */
export function createSetUpLink(clock: () => number): SetUpLink {
	const token = randomBytes(32).toString("base64url");
	const endsAt = clock() + VALID_MS;
	return {
		accepts: (shown) => isEqual(shown, token) && clock() < endsAt,
		toUrl: (base) => `${base}/#link=${token}`,
	};
}
