import { readAnswer } from "@partnerwire/sdk";
import { asFault, Fault } from "./fault.ts";

/** Sent with every request that changes something. It comes with the session. */
let csrfToken = "";
let onUnauthorized = () => {};

export const useCsrfToken = (token: string) => {
	csrfToken = token;
};

/** Sets the callback for the case that the service no longer knows the session. */
export const whenUnauthorized = (callback: () => void) => {
	onUnauthorized = callback;
};

/** A read replica that answers lists is at most this far behind, unless its database's URL says otherwise. */
const FRESH_MS = 10_000;
let freshUntilMs = 0;

/** Something has changed: the next lists must show it (docs/scale.md#read-replica). */
export const askFresh = () => {
	freshUntilMs = Date.now() + FRESH_MS;
};

/** Sends one request to `/_admin/*` of this origin. Throws a `Fault`. */
export async function send(
	method: string,
	url: string,
	body?: unknown,
): Promise<unknown> {
	const response = await fetch(url, {
		method,
		credentials: "same-origin",
		headers: {
			accept: "application/json",
			...(Date.now() < freshUntilMs && { "cache-control": "no-cache" }),
			...(method !== "GET" && { "x-csrf-token": csrfToken }),
			...(body !== undefined && { "content-type": "application/json" }),
		},
		...(body !== undefined && { body: JSON.stringify(body) }),
	})
		.catch(() => {
			throw new Fault("unreachable", "no answer");
		})
		.finally(() => {
			if (method !== "GET") askFresh();
		});
	try {
		return await readAnswer(response);
	} catch (error) {
		const fault = asFault(error);
		if (fault.code === "unauthorized" && url !== SESSION_URL) onUnauthorized();
		throw fault;
	}
}

export const SESSION_URL = "/_admin/session";
