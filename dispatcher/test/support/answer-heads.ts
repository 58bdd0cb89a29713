/* The table of raw answers, and what becomes of the attempt and of curl. */
import { RAW_OK } from "#kit/endpoints/receivers.ts";

/** An answer as raw bytes, and its verdict. */
export interface AnswerHead {
	readonly what: string;
	/** Latin-1: each character is a byte. */
	readonly bytes: string;
	readonly status: number | null;
	/** The failure's class. Null means delivered. */
	readonly class: string | null;
	/** A part of the failure's message that names the fault. */
	readonly message: string;
	/** Whether curl takes it as an answer with that status. */
	readonly curl: boolean;
	/** Whether the server ends the connection after the answer. */
	readonly isLast: boolean;
}

const OK = "HTTP/1.1 200 OK\r\n";
const LENGTH = "content-length: 2\r\n";
const CHUNKED = "transfer-encoding: chunked\r\n";
const CHUNKS = "2\r\n{}\r\n0\r\n\r\n";
const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const kibOfHeaders = (count: number) =>
	`x: ${"y".repeat(1019)}\r\n`.repeat(count);

const delivered = (
	what: string,
	bytes: string,
	{ curl = true, isLast = false } = {},
): AnswerHead => ({
	what,
	bytes,
	status: 200,
	class: null,
	message: "",
	curl,
	isLast,
});
const failed =
	(failureClass: string) =>
	(
		what: string,
		bytes: string,
		message: string,
		{ status = 200 as number | null, curl = true, isLast = false } = {},
	): AnswerHead => ({
		what,
		bytes,
		status,
		class: failureClass,
		message,
		curl,
		isLast,
	});
const invalid = failed("invalid_response");
const LENGTH_FAULT = "its Content-Length, or a header after it";
const NO_HTTP = "Expected HTTP/";
const NO_CURL = { curl: false };
const NO_STATUS = { status: null, curl: false };

/** Every way in which an answer can begin that somebody has met, or might. */
export const ANSWER_HEADS: readonly AnswerHead[] = [
	// Interim answers (RFC 9110 §15.2).
	delivered("an unasked 100", CONTINUE + RAW_OK),
	delivered(
		"two of them, one with a header",
		`HTTP/1.1 100 \r\nx: y\r\n\r\n${CONTINUE}${RAW_OK}`,
	),
	delivered(
		"a 100 with a length, which means nothing",
		`HTTP/1.1 100 Go\r\n${LENGTH}\r\n${RAW_OK}`,
	),
	delivered("a 102", `HTTP/1.1 102 Wait\r\n\r\n${RAW_OK}`),
	delivered(
		"a 103, then a 100",
		`HTTP/1.1 103 Hints\r\nlink: </x>\r\n\r\n${CONTINUE}${RAW_OK}`,
	),
	delivered("a 199", `HTTP/1.1 199 Odd\r\n\r\n${RAW_OK}`),
	failed("server_error")(
		"a 100 before a 503",
		`${CONTINUE}HTTP/1.1 503 No\r\n${LENGTH}\r\n{}`,
		"answered 503",
		{ status: 503 },
	),
	failed("reset")("a 100 and nothing more", CONTINUE, "closed before", {
		...NO_STATUS,
		isLast: true,
	}),
	invalid(
		"a switch of protocols",
		"HTTP/1.1 101 Go\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
		"another protocol",
		{ status: 101, curl: false },
	),
	invalid(
		"a 101 without an upgrade",
		`HTTP/1.1 101 Go\r\n\r\n${RAW_OK}`,
		"another protocol",
		{ status: 101, curl: false },
	),
	delivered(
		"an offer to upgrade",
		`${OK}upgrade: h2c\r\nconnection: upgrade\r\n${LENGTH}\r\n{}`,
	),

	// The length of the body (RFC 9112 §6.3).
	invalid("two equal lengths", `${OK}${LENGTH}${LENGTH}\r\n{}`, LENGTH_FAULT),
	invalid(
		"two equal lengths in one header",
		`${OK}content-length: 2, 2\r\n\r\n{}`,
		LENGTH_FAULT,
	),
	invalid(
		"two equal lengths of a 500",
		`HTTP/1.1 500 No\r\n${LENGTH}${LENGTH}\r\n{}`,
		LENGTH_FAULT,
		{ status: 500 },
	),
	invalid(
		"two unequal lengths",
		`${OK}${LENGTH}content-length: 3\r\n\r\n{}`,
		LENGTH_FAULT,
		NO_CURL,
	),
	invalid(
		"a length beside chunks",
		`${OK}${LENGTH}${CHUNKED}\r\n${CHUNKS}`,
		LENGTH_FAULT,
	),
	invalid(
		"chunks beside a length",
		`${OK}${CHUNKED}${LENGTH}\r\n${CHUNKS}`,
		"Content-Length can't be present",
	),
	invalid(
		"a negative length",
		`${OK}content-length: -1\r\n\r\n{}`,
		"Content-Length",
		NO_CURL,
	),
	invalid(
		"a length that is no number",
		`${OK}content-length: two\r\n\r\n{}`,
		"Content-Length",
		NO_CURL,
	),
	delivered("no length, up to the connection's end", `${OK}\r\n{}`, {
		isLast: true,
	}),
	failed("reset")(
		"less than its length",
		`${OK}content-length: 3\r\n\r\n{}`,
		"closed before",
		{ curl: false, isLast: true },
	),
	delivered("more than its length", `${RAW_OK}more`),
	delivered("a trailer", `${OK}${CHUNKED}\r\n2\r\n{}\r\n0\r\nx: y\r\n\r\n`),
	delivered(
		"a chunk's extension",
		`${OK}${CHUNKED}\r\n2;a=b\r\n{}\r\n0\r\n\r\n`,
	),
	invalid(
		"a chunk's size that is none",
		`${OK}${CHUNKED}\r\nzz\r\n{}\r\n0\r\n\r\n`,
		"chunk size",
		NO_CURL,
	),
	delivered(
		"gzip that is none",
		`${OK}content-encoding: gzip\r\n${LENGTH}\r\n{}`,
	),

	// Lines and names (RFC 9112 §2.2 and §5).
	delivered("a blank line before it", `\r\n${RAW_OK}`, NO_CURL),
	invalid(
		"a bare LF after the status",
		`HTTP/1.1 200 OK\n${LENGTH}\r\n{}`,
		"Missing expected CR",
	),
	invalid(
		"a bare LF after a header",
		`${OK}x: y\n${LENGTH}\r\n{}`,
		"Missing expected CR",
	),
	invalid(
		"a bare CR in a header",
		`${OK}x: a\rb\r\n${LENGTH}\r\n{}`,
		"Missing expected LF",
	),
	invalid(
		"NUL in a header",
		`${OK}x: a\0b\r\n${LENGTH}\r\n{}`,
		"Invalid header value",
		NO_CURL,
	),
	invalid(
		"a folded header",
		`${OK}x: a\r\n b\r\n${LENGTH}\r\n{}`,
		"Unexpected whitespace",
	),
	invalid(
		"a space before the colon",
		`${OK}x : a\r\n${LENGTH}\r\n{}`,
		"Invalid header token",
	),
	invalid(
		"a space in a name",
		`${OK}x y: a\r\n${LENGTH}\r\n{}`,
		"Invalid header token",
	),
	invalid(
		"a header without a colon",
		`${OK}xy\r\n${LENGTH}\r\n{}`,
		"Invalid header token",
		NO_CURL,
	),
	delivered("Latin-1 in a header", `${OK}x: caf\xe9\r\n${LENGTH}\r\n{}`),
	delivered("16 KiB of headers", `${OK + kibOfHeaders(16)}${LENGTH}\r\n{}`),
	delivered("63 KiB of headers", `${OK + kibOfHeaders(63)}${LENGTH}\r\n{}`),
	failed("answer_too_large")(
		"64 KiB of headers",
		`${OK + kibOfHeaders(64)}${LENGTH}\r\n{}`,
		"larger than",
	),

	// The status line (RFC 9112 §4).
	delivered("HTTP/1.0", `HTTP/1.0 200 OK\r\n${LENGTH}\r\n{}`),
	delivered(
		"HTTP/1.0 up to the connection's end",
		"HTTP/1.0 200 OK\r\n\r\n{}",
		{ isLast: true },
	),
	delivered("no reason phrase", `HTTP/1.1 200\r\n${LENGTH}\r\n{}`),
	delivered("an empty reason phrase", `HTTP/1.1 200 \r\n${LENGTH}\r\n{}`),
	delivered(
		"a reason phrase in Latin-1",
		`HTTP/1.1 200 Tr\xe8s bien\r\n${LENGTH}\r\n{}`,
	),
	invalid(
		"two spaces before the status",
		`HTTP/1.1  200 OK\r\n${LENGTH}\r\n{}`,
		"status code",
		{ status: null },
	),
	invalid(
		"a status of two digits",
		`HTTP/1.1 20 OK\r\n${LENGTH}\r\n{}`,
		"status code",
		NO_STATUS,
	),
	invalid(
		"a status of four digits",
		`HTTP/1.1 2000 OK\r\n${LENGTH}\r\n{}`,
		"response status",
		NO_CURL,
	),
	invalid(
		"a status below 100",
		`HTTP/1.1 099 OK\r\n${LENGTH}\r\n{}`,
		"its status code",
		NO_STATUS,
	),
	invalid(
		"HTTP/1.2",
		`HTTP/1.2 200 OK\r\n${LENGTH}\r\n{}`,
		"HTTP version",
		NO_CURL,
	),
	invalid("small letters", `http/1.1 200 OK\r\n${LENGTH}\r\n{}`, NO_HTTP, {
		status: null,
	}),
	failed("reset")(
		"a head that breaks off",
		"HTTP/1.1 500 No\r\nx: y",
		"closed before",
		{ status: 500, isLast: true },
	),
	failed("reset")("nothing", "", "closed before", {
		...NO_STATUS,
		isLast: true,
	}),

	// Other protocols.
	invalid("a body without a head", "{}", NO_HTTP, {
		...NO_STATUS,
		isLast: true,
	}),
	invalid("a page without a head", "<html>", NO_HTTP, {
		...NO_STATUS,
		isLast: true,
	}),
	invalid("SSH", "SSH-2.0-OpenSSH_9.2\r\n", NO_HTTP, NO_STATUS),
	invalid("SMTP", "220 mail.example ESMTP\r\n", NO_HTTP, NO_STATUS),
	invalid("a TLS alert", "\x15\x03\x01\0\x02\x02\x46", NO_HTTP, NO_STATUS),
];
