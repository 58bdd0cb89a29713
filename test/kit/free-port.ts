/* Ports for programs that cannot take port 0, such as PostgreSQL and Redis. */
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that Linux, macOS and Windows give to a `listen(0)` and to outgoing connections. */
const FIRST = 10_000;
const LAST = 32_767;

/**
 * A free port for a program that cannot take port 0. A port from the system would not do: until the program listens, the system may
 * give it to another test.
 */
export async function freePort(): Promise<number> {
	const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
	const server = createServer().listen(port);
	try {
		await once(server, "listening");
	} catch {
		return freePort();
	}
	server.close();
	await once(server, "close");
	return port;
}
