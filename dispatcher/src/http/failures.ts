import type {
	AttemptFailure,
	AttemptResult,
	FailureClass,
	FailureStage,
} from "./attempt-result.ts";

const MESSAGES = {
	dns_failed: "the host name could not be resolved",
	connect_refused: "the connection was refused",
	connect_timeout: "no connection could be made in time",
	tls_failed: "the TLS connection failed",
	reset: "the connection was closed before the answer was complete",
	answer_timeout: "no answer came in time",
	body_timeout: "the answer's body did not end in time",
	invalid_response: "the answer was not valid HTTP/1.1",
	answer_too_large: "the answer was larger than an answer may be",
	network_error: "the network failed",
	aborted: "the attempt was cut short because the dispatcher is stopping",
	interrupted: "the attempt ended by a fault of the program",
} as const satisfies Partial<Record<FailureClass, string>>;

/** The parser's message if the connection ends before the answer does. */
const CUT_OFF = "Invalid EOF state";
const LENGTH_MISMATCH = "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";
const SWITCHES = "it switches to another protocol";
/** The faults of an answer's head by the error's code, or by its message where undici gives none. */
const HEAD_FAULTS: Readonly<Record<string, string>> = {
	UNASKED: "it came before the request",
	SWITCHED: SWITCHES,
	"bad upgrade": SWITCHES,
	// undici asserts that a status code is one.
	ERR_ASSERTION: "its status code",
};

/** Says where an answer breaks HTTP/1.1. Null if the error is about something else. */
function findAnswerFault(
	code: string,
	{ name, message }: Error,
	stage: FailureStage,
): string | null {
	// undici 7's parser errors have a name, but no code, although their type says so.
	if (name === "HTTPParserError")
		return /\((.+)\)$/.exec(message)?.[1] ?? message;
	// undici calls every fault of a head with a length by this name.
	if (code === LENGTH_MISMATCH && stage === "headers")
		return "its Content-Length, or a header after it";
	return HEAD_FAULTS[code] ?? HEAD_FAULTS[message] ?? null;
}

function classOf(
	code: string,
	error: Error,
	stage: FailureStage,
): keyof typeof MESSAGES {
	if (code === "ANSWER_TIMEOUT")
		return stage === "body" ? "body_timeout" : "answer_timeout";
	if (code === "ABORTED" || code === "UND_ERR_DESTROYED") return "aborted";
	if (code === "CONNECT_TIMEOUT" || code === "ETIMEDOUT")
		return "connect_timeout";
	if (stage === "dns") return "dns_failed";
	if (code === "ECONNREFUSED") return "connect_refused";
	if (stage === "tls" || /^ERR_(SSL|TLS)_/.test(code)) return "tls_failed";
	if (error.message.includes(CUT_OFF)) return "reset";
	if (code === "ANSWER_TOO_LARGE") return "answer_too_large";
	if (findAnswerFault(code, error, stage)) return "invalid_response";
	const isReset =
		code === "ECONNRESET" ||
		code === "EPIPE" ||
		code === "UND_ERR_SOCKET" ||
		code === LENGTH_MISMATCH;
	return isReset ? "reset" : "network_error";
}

const codeOf = (error: Error): string =>
	"code" in error && typeof error.code === "string" ? error.code : "";

/** Converts an error of the network, TLS or the HTTP parser. */
export function toNetworkFailure(
	error: Error,
	stage: FailureStage,
): AttemptFailure {
	const code = codeOf(error);
	if (code === "ADDRESS_REFUSED")
		return { class: "address_refused", stage, code, message: error.message };
	const failureClass = classOf(code, error, stage);
	const detail =
		failureClass === "invalid_response"
			? findAnswerFault(code, error, stage)
			: code;
	const suffix = detail === "" ? "" : ` (${detail})`;
	return {
		class: failureClass,
		stage,
		code: code === "" ? null : code,
		message: MESSAGES[failureClass] + suffix,
	};
}

/** The failure of an attempt that the program itself has ended. */
export const toOwnFailure = (
	failureClass: "aborted" | "interrupted",
): AttemptFailure => ({
	class: failureClass,
	stage: "request",
	code: null,
	message: MESSAGES[failureClass],
});

function statusClassOf(status: number): FailureClass {
	if (status < 300) return "wrong_success";
	if (status < 400) return "redirect";
	if (status === 410) return "gone";
	if (status === 429) return "rate_limited";
	if (status < 500) return "client_error";
	return status < 600 ? "server_error" : "invalid_response";
}

/** Converts a status other than 200. */
export function toStatusFailure(status: number): AttemptFailure {
	const failureClass = statusClassOf(status);
	const reason =
		failureClass === "redirect"
			? "redirects are not followed"
			: "it must answer exactly 200";
	return {
		class: failureClass,
		stage: "status",
		code: null,
		message: `the endpoint answered ${status}: ${reason}`,
	};
}

const ADVICE: Readonly<Record<FailureClass, string>> = {
	url_refused:
		"Correct the webhook URL: https, no user name, no password, no fragment.",
	address_refused:
		"Use a host on the public internet, or allow its network with --allow-private or a CIDR list.",
	dns_failed: "Check the host name of the webhook URL and its DNS records.",
	connect_refused:
		"Nothing listens at that address and port: start the receiver, or correct the port.",
	connect_timeout:
		"Check that the host is up and that no firewall drops the connection.",
	tls_failed:
		"Install a valid certificate with its whole chain for that host name, or give its authority as a custom CA.",
	reset:
		"The receiver closed the connection while answering: look for a crash or a proxy's limit there.",
	answer_timeout:
		"Answer 200 within 10 seconds: store the event first and do the work afterwards.",
	body_timeout:
		"End the answer's body: send a content-length, or close it as soon as the status is sent.",
	invalid_response:
		"If the URL leads to another protocol or port, correct it. Otherwise correct the answer, which the receiver or a proxy writes: the message names its fault.",
	answer_too_large:
		"Answer with little: at most 16 interim (1xx) answers and 64 KiB in all, headers and chunk framing included.",
	redirect:
		"Register the final URL: a redirect is never followed, because it would turn the POST into a GET.",
	wrong_success:
		"Answer exactly 200: every other success status counts as a failure.",
	client_error:
		"The receiver refused the request: check its route, and that it verifies with this integration's secret.",
	gone: "The endpoint says that it is gone for good: correct the URL, then resume the integration.",
	rate_limited:
		"The receiver asks for a slower pace: raise its limit; its Retry-After is honoured meanwhile.",
	server_error: "The receiver failed: look in its own log at this time.",
	network_error:
		"The network between this service and the receiver failed: the next attempt may pass.",
	aborted: "The dispatcher stopped during the attempt: it will be made again.",
	interrupted:
		"The program failed during the attempt, by itself or by what it sent: look for `error` in its log at this time.",
};

/** Says in one sentence what to do about an attempt's failure (docs/dispatcher.md#why-an-attempt-failed). */
export const adviceFor = ({
	failure,
}: Pick<AttemptResult, "failure">): string =>
	adviceForClass(failure?.class ?? null);

/** The same for a stored failure class. Null is no failure. */
export function adviceForClass(failureClass: string | null): string {
	if (failureClass === null)
		return "Nothing to do: the endpoint answered 200 in time.";
	return (
		(ADVICE as Readonly<Record<string, string>>)[failureClass] ??
		"Look at the attempt's message."
	);
}
