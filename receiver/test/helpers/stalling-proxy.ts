import { once } from "node:events";
import {
	type AddressInfo,
	createConnection,
	createServer,
	type Socket,
} from "node:net";

/** A TCP proxy in front of a server, whose network can fail. */
export interface StallingProxy {
	readonly port: number;
	/** Stops all traffic in both directions without ending connections, as if packets were lost. */
	stall(): void;
	/** Lets the traffic continue. */
	resume(): void;
	close(): Promise<void>;
}

/** Opens a proxy on a free port of this machine. */
export async function openStallingProxy(
	target: number,
): Promise<StallingProxy> {
	const sockets = new Set<Socket>();
	let isStalled = false;
	const join = (from: Socket, to: Socket) => {
		sockets.add(from);
		from.on("data", (data) => to.write(data));
		from.on("error", () => {});
		from.on("close", () => {
			sockets.delete(from);
			to.destroy();
		});
		if (isStalled) from.pause();
	};
	const server = createServer((client) => {
		const upstream = createConnection(target, "127.0.0.1");
		join(client, upstream);
		join(upstream, client);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		port: (server.address() as AddressInfo).port,
		stall() {
			isStalled = true;
			for (const socket of sockets) socket.pause();
		},
		resume() {
			isStalled = false;
			for (const socket of sockets) socket.resume();
		},
		async close() {
			for (const socket of sockets) socket.destroy();
			server.close();
			await once(server, "close");
		},
	};
}
