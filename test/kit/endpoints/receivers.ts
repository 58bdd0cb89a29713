import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import {
	type AddressInfo,
	createServer as createTcpServer,
	type Server,
	type Socket,
} from "node:net";
import { onTestFinished } from "vitest";

export interface Receiver {
	readonly port: number;
	readonly url: string;
	/** Every connection so far, in order. */
	readonly sockets: readonly Socket[];
}

/** Starts a server for one test. */
export function listen(server: Server, protocol: string): Promise<Receiver> {
	const sockets: Socket[] = [];
	server.on("connection", (socket: Socket) => {
		sockets.push(socket);
		socket.on("error", () => {});
	});
	onTestFinished(
		() =>
			new Promise<void>((resolve) => {
				server.close(() => resolve());
				for (const socket of sockets) socket.destroy();
			}),
	);
	return new Promise((resolve) => {
		server.listen(0, "127.0.0.1", () => {
			const { port } = server.address() as AddressInfo;
			const url = `${protocol}://127.0.0.1:${port}/hook?tenant=1`;
			resolve({ port, url, sockets });
		});
	});
}

/** A real HTTP server for one test. */
export function listenHttp(listener: RequestListener): Promise<Receiver> {
	return listen(createServer(listener), "http");
}

/** A real HTTPS server for one test. */
export function listenHttps(
	tls: { readonly key: string; readonly cert: string },
	listener: RequestListener,
): Promise<Receiver> {
	return listen(createTlsServer(tls, listener), "https");
}

/** A server that answers in raw bytes. `onData` gets the data that arrive on the n-th connection. */
export function listenRaw(
	onData: (socket: Socket, connection: number, chunk: number) => void,
): Promise<Receiver> {
	let connections = 0;
	return listen(
		createTcpServer((socket) => {
			const connection = ++connections;
			let chunk = 0;
			socket.on("data", () => onData(socket, connection, ++chunk));
		}),
		"http",
	);
}

/** A listener that answers every request with one status. */
export const answer =
	(status: number, headers: Record<string, string> = {}, body = "{}") =>
	(request: IncomingMessage, response: ServerResponse) => {
		request.resume().on("end", () => {
			response.writeHead(status, headers).end(body);
		});
	};

export const RAW_OK =
	"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";
