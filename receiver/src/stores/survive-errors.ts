/** What a client of pg and of node-redis, a pool too, is besides: node's `EventEmitter`. */
interface Emitter {
	on(event: "error", listener: () => void): unknown;
	listenerCount(event: "error"): number;
}

/**
 * Keeps a broken connection from ending the program: such a client emits `error` for it, and node ends a process where nobody listens. What
 * it means for an event is told by the next statement, which fails. A listener of the program's own stays the only one.
 */
export function surviveErrors(client: object): void {
	const { on, listenerCount } = client as Partial<Emitter>;
	if (typeof on !== "function" || typeof listenerCount !== "function") return;
	const emitter = client as Emitter;
	if (emitter.listenerCount("error") === 0) emitter.on("error", () => {});
}
