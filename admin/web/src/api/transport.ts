import { Fault, toFault } from "./fault.ts";

/** Sent with every request that changes something; the session gives it. */
let csrfToken = "";
let onUnauthorized = () => {};

export const useCsrfToken = (token: string) => {
	csrfToken = token;
};

/** Called when the service no longer knows the session. */
export const whenUnauthorized = (callback: () => void) => {
	onUnauthorized = callback;
};

/** One request to `/_admin/*` of this origin; throws a `Fault`. */
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
			...(method !== "GET" && { "x-csrf-token": csrfToken }),
			...(body !== undefined && { "content-type": "application/json" }),
		},
		...(body !== undefined && { body: JSON.stringify(body) }),
	}).catch(() => {
		throw new Fault("unreachable", "no answer");
	});
	if (response.ok) return response.json();
	const fault = await toFault(response);
	if (fault.code === "unauthorized" && url !== SESSION_URL) onUnauthorized();
	throw fault;
}

export const SESSION_URL = "/_admin/session";
