import { Client, type Dispatcher } from "undici";
import { ANSWER_BYTES } from "./bounded-reads.ts";
import { type Connection, createConnection } from "./connection.ts";
import type { createConnector } from "./connector.ts";

/** The user of a connection. The client sets `connection`, because undici does not say which one it uses. */
export interface ConnectionUser {
	connection: Connection;
}

/** Dispatch options with the user of the connection. */
export interface TrackedDispatchOptions extends Dispatcher.DispatchOptions {
	readonly user: ConnectionUser;
}

/**
 * An undici client that knows its connection. undici's timers are off, because the wire has its own. undici's limit on headers is out
 * of reach, because reading is bounded before (bounded-reads.ts): beyond its limit undici creates an error for each further header
 * of a chunk.
 */
export class TrackedClient extends Client {
	readonly #connection: Connection;

	constructor(
		origin: string | URL,
		connect: ReturnType<typeof createConnector>,
	) {
		const connection = createConnection();
		super(origin, {
			connect: connect(connection),
			headersTimeout: 0,
			bodyTimeout: 0,
			maxHeaderSize: ANSWER_BYTES,
			pipelining: 1,
		});
		this.#connection = connection;
	}

	override dispatch(
		options: TrackedDispatchOptions,
		handler: Dispatcher.DispatchHandler,
	): boolean {
		options.user.connection = this.#connection;
		return super.dispatch(options, handler);
	}
}
