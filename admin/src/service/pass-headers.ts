/** The header with the id of each listener that forwarded a request: a listener finds its own id if a request loops. */
const HOP = "partnerwire-forwarded";

/** Headers of one connection (RFC 9110 §7.6.1), and headers that the next sender sets itself. */
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

/** Whether the listener with this id forwarded the request. */
export const hasPassed = (headers: Headers, id: string): boolean =>
	(headers.get(HOP) ?? "").split(", ").includes(id);

/** The headers of a request that the listener with this id forwards. */
export function toForwarded(headers: Headers, id: string): Headers {
	const passed = endToEnd(headers);
	// fetch asks for the encodings that it can decode itself.
	passed.delete("accept-encoding");
	passed.append(HOP, id);
	return passed;
}

/** The headers of a forwarded answer: its body was decoded, so its encoding is left out. */
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
