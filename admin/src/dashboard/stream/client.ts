/** Bytes that may wait for a slow client. Further messages are dropped, and the client is asked to reload. */
const MOST_WAITING = 32 * 1024;

const encoder = new TextEncoder();
/** Encodes messages, once for all clients. */
export const toBytes = (text: string): Uint8Array => encoder.encode(text);

const OVERFLOW = toBytes("event: overflow\ndata: {}\n\n");
const HEARTBEAT = toBytes(": \n\n");
/** The first message makes the server send the headers. `retry`: clients reconnect after three seconds. */
const FIRST = toBytes("retry: 3000\n\n");

/** One listening browser. Its buffer is bounded, however slow it is. */
export interface StreamClient {
	readonly body: ReadableStream<Uint8Array>;
	send(bytes: Uint8Array): void;
	overflow(): void;
	/** Sends a heartbeat. Ends a client that has read nothing since the last one. */
	beat(): void;
	end(): void;
}

/** Creates a client. `onGone` is called once, when the client has left or was ended. */
export function createStreamClient(onGone: () => void): StreamClient {
	let waiting = [FIRST];
	let isOverflowing = false;
	let isAsked = false;
	let isLate = false;
	let isOver = false;
	let controller: ReadableStreamDefaultController<Uint8Array>;

	const give = () => {
		const next = waiting.shift();
		isAsked = next === undefined;
		if (!next) return;
		isOverflowing = false;
		isLate = false;
		controller.enqueue(next);
	};
	const finish = (how: () => void) => {
		if (isOver) return;
		isOver = true;
		waiting = [];
		how();
		onGone();
	};
	const push = (bytes: Uint8Array) => {
		if (isOver || isOverflowing) return;
		const size = waiting.reduce(
			(sum, message) => sum + message.length,
			bytes.length,
		);
		isOverflowing = size > MOST_WAITING;
		if (isOverflowing) waiting = [OVERFLOW];
		else waiting.push(bytes);
		if (isAsked) give();
	};

	const body = new ReadableStream<Uint8Array>(
		{
			start(streamController) {
				controller = streamController;
			},
			pull: give,
			cancel: () => finish(() => {}),
		},
		// The stream buffers nothing itself: our own buffer is bounded.
		{ highWaterMark: 0 },
	);

	return {
		body,
		send: push,
		overflow: () => push(OVERFLOW),
		beat() {
			// An error cuts the connection. A regular end would wait until the client has read everything.
			if (isLate)
				finish(() => controller.error(new Error("the client takes nothing")));
			else if (waiting.length === 0) push(HEARTBEAT);
			else isLate = true;
		},
		end: () => finish(() => controller.close()),
	};
}
