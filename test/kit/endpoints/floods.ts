import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { CERTIFICATE, KEY } from "./certificates.ts";
import { listen, type Receiver } from "./receivers.ts";

/** An answer without an end: its beginning, and the part that is repeated. */
export interface Flood {
	readonly what: string;
	readonly begin: string;
	readonly again: string;
	/** The failure's class and the status of its attempt. Null means delivered. */
	readonly class: string | null;
	readonly status: number | null;
}

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = "transfer-encoding: chunked\r\n\r\n";
const row = (
	what: string,
	begin: string,
	again: string,
	failureClass: string | null,
	status: number | null,
): Flood => ({ what, begin, again, class: failureClass, status });

/** Every part of an answer that can be endless. */
export const FLOODS: readonly Flood[] = [
	row(
		"interim answers",
		"",
		"HTTP/1.1 102 P\r\n\r\n",
		"answer_too_large",
		null,
	),
	row(
		"early hints",
		"",
		"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n",
		"answer_too_large",
		null,
	),
	row(
		"leave to continue",
		"",
		"HTTP/1.1 100 Continue\r\n\r\n",
		"answer_too_large",
		null,
	),
	row("blank lines", "", "\r\n", "answer_too_large", null),
	row("a reason phrase", "HTTP/1.1 200 ", "y", "answer_too_large", 200),
	row("headers", OK, "x-a: b\r\n", "answer_too_large", 200),
	row("headers without a value", OK, "x:\r\n", "answer_too_large", 200),
	row("a header's name", OK, "y", "answer_too_large", 200),
	row("a header's value", `${OK}x: `, "y", "answer_too_large", 200),
	row("blanks before a value", `${OK}x:`, " ", "answer_too_large", 200),
	row("a chunk's size", `${OK}${CHUNKED}`, "0", "answer_too_large", 200),
	row(
		"a chunk's extension",
		`${OK}${CHUNKED}1;x=`,
		"y",
		"answer_too_large",
		200,
	),
	row(
		"chunks of one byte",
		`${OK}${CHUNKED}`,
		"1\r\nx\r\n",
		"answer_too_large",
		200,
	),
	row("trailers", `${OK}${CHUNKED}0\r\n`, "x: y\r\n", "answer_too_large", 200),
	row(
		"a chunk's extension after a 500",
		`HTTP/1.1 500 No\r\n${CHUNKED}1;x=`,
		"y",
		"server_error",
		500,
	),
	row(
		"a body that has a length",
		`${OK}content-length: 1000000000000\r\n\r\n`,
		"y",
		null,
		200,
	),
	row("a body without one", `${OK}\r\n`, "y", null, 200),
	row(
		"a body in chunks",
		`${OK}${CHUNKED}`,
		`1000\r\n${"y".repeat(4096)}\r\n`,
		null,
		200,
	),
];

const BLOCK_BYTES = 64 * 1024;

export interface Flooding extends Receiver {
	/** The bytes that this process has sent on all connections, including those in the system's buffers. */
	sentBytes(): number;
	/** Resolves when all connections have ended. */
	ended(): Promise<void>;
}

/** A server that answers with a flood, as fast as the client reads. */
export async function listenFlood(
	{ begin, again }: Pick<Flood, "begin" | "again">,
	protocol: "http" | "https" = "http",
): Promise<Flooding> {
	const block = again.repeat(Math.ceil(BLOCK_BYTES / again.length));
	const open = new Set<Socket>();
	let sent = 0;
	const serve = (socket: Socket) => {
		open.add(socket);
		const pump = () => {
			// One block in each turn of the event loop, so that others of this process can run.
			if (!socket.destroyed && socket.write(block)) setImmediate(pump);
		};
		socket.on("error", () => {});
		socket.once("close", () => {
			open.delete(socket);
			sent += socket.bytesWritten;
		});
		socket.once("data", () => {
			socket.on("drain", pump).write(begin);
			pump();
		});
	};
	const server: Server =
		protocol === "http"
			? createServer(serve)
			: createTlsServer({ key: KEY, cert: CERTIFICATE }, serve);
	return {
		...(await listen(server, protocol)),
		sentBytes: () =>
			[...open].reduce((sum, { bytesWritten }) => sum + bytesWritten, sent),
		async ended() {
			await Promise.all(
				[...open].map(
					(socket) => new Promise((resolve) => socket.once("close", resolve)),
				),
			);
		},
	};
}
