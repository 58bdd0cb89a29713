/** Names each listener that passed a request on, so that one that comes back is told from the others. */
export const HOP = "partnerwire-forwarded";

/** Those of one connection (RFC 9110 §7.6.1), and those that whoever sends writes itself. */
const HOP_BY_HOP = [
	"connection",
	"expect",
	"keep-alive",
	"proxy-authenticate",
	"proxy-authorization",
	"proxy-connection",
	"te",
	"trailer",
	"transfer-encoding",
	"upgrade",
	"host",
	"content-length",
];

/** Whether the request was passed on by the listener of this id. */
export const hasPassed = (headers: Headers, id: string): boolean =>
	(headers.get(HOP) ?? "").split(", ").includes(id);

/** The headers of a request as they are passed on by the listener of this id. */
export function toForwarded(headers: Headers, id: string): Headers {
	const passed = endToEnd(headers);
	// fetch decodes an answer by itself.
	passed.delete("accept-encoding");
	passed.append(HOP, id);
	return passed;
}

/** The headers of an answer, whose body was decoded. */
export function toAnswerHeaders(headers: Headers): Headers {
	const passed = endToEnd(headers);
	passed.delete("content-encoding");
	return passed;
}

function endToEnd(headers: Headers): Headers {
	const passed = new Headers(headers);
	const named = (headers.get("connection") ?? "")
		.split(",")
		.map((name) => name.trim())
		.filter((name) => /^[\w-]+$/.test(name));
	for (const name of [...HOP_BY_HOP, ...named]) passed.delete(name);
	return passed;
}
