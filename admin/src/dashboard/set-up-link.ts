import { randomBytes } from "node:crypto";
import { isEqual } from "../http/is-equal.ts";

const VALID_MS = 3_600_000;

/** The link for the first sign-in (docs/decisions.md#the-first-sign-in). Only this process knows it. */
export interface SetUpLink {
	/** Whether the token is the link's and still valid. The use of the link checks that the database is empty. */
	accepts(token: string): boolean;
	/** The address to open. The token is in the fragment, so that it reaches no server and no log. */
	toUrl(base: string): string;
}

/** Creates a link that is valid for an hour. Print it on a terminal only, never to a log. */
export function createSetUpLink(clock: () => number): SetUpLink {
	const token = randomBytes(32).toString("base64url");
	const endsAt = clock() + VALID_MS;
	return {
		accepts: (shown) => isEqual(shown, token) && clock() < endsAt,
		toUrl: (base) => `${base}/#link=${token}`,
	};
}
