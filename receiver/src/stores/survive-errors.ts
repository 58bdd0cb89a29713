/** The part of Node's `EventEmitter` that clients and pools of pg and node-redis have. */
interface Emitter {
	on(event: "error", listener: () => void): unknown;
	listenerCount(event: "error"): number;
}

/**
 * Keeps a broken connection from ending the program. The client emits `error` for it, and Node ends a process without a listener. The
 * next statement fails and reports the problem. If the program has a listener of its own, no other is added.
 */
export function surviveErrors(client: object): void {
	const { on, listenerCount } = client as Partial<Emitter>;
	if (typeof on !== "function" || typeof listenerCount !== "function") return;
	const emitter = client as Emitter;
	if (emitter.listenerCount("error") === 0) emitter.on("error", () => {});
}
