import { RequestFault } from "./fault-rules.ts";
import { parseWith } from "./parse-with.ts";

const FAULT_HEADER = "partnerwire-fault";

/**
 * The fault that a request asks for itself: `429`, `drop; executed`, `slow; delay_ms=200`. Throws a 400 that names the
 * unknown parts.
 */
export function readFaultHeader(headers: Headers): RequestFault | undefined {
	const value = headers.get(FAULT_HEADER);
	if (value === null) return undefined;
	const [kind, ...parameters] = value.split(";").map((part) => part.trim());
	const entries = parameters.map((parameter) => {
		const [name = "", text] = parameter.split("=").map((part) => part.trim());
		return [name, text === undefined ? true : toNumber(text)];
	});
	return parseWith(
		HeaderFault,
		{ ...Object.fromEntries(entries), kind },
		"Partnerwire-Fault",
	);
}

/** A header is about its own request, so it has no members that select requests. */
const HeaderFault = RequestFault.omit({
	method: true,
	path: true,
	operation_id: true,
	times: true,
	after: true,
})
	.strict()
	.transform((fault) => RequestFault.parse(fault));

const toNumber = (text: string) =>
	/^\d{1,9}$/.test(text) ? Number(text) : text;
