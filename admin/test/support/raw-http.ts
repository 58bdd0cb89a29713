import { connect } from "node:net";

/** Writes bytes to a new connection and answers everything that comes back until the server closes it or `until` holds. */
export function sendRaw(
	url: string,
	write: (send: (bytes: string) => void, end: () => void) => void,
	until: (received: string) => boolean = () => false,
): Promise<string> {
	const { hostname, port } = new URL(url);
	return new Promise((resolve, reject) => {
		const socket = connect(Number(port), hostname);
		let received = "";
		const timer = setTimeout(() => {
			socket.destroy();
			reject(new Error(`no end of the answer after 10 s: ${received}`));
		}, 10_000);
		const done = () => {
			clearTimeout(timer);
			socket.destroy();
			resolve(received);
		};
		socket.setEncoding("latin1");
		socket.on("data", (text) => {
			received += text;
			if (until(received)) done();
		});
		// The server may cut a body that is too long while it is still being sent.
		socket.on("error", done);
		socket.on("close", done);
		socket.on("connect", () =>
			write(
				(bytes) => void socket.write(bytes),
				() => void socket.end(),
			),
		);
	});
}
