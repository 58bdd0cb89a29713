import { Fault, toFault } from "./fault.ts";

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
