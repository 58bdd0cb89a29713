/** Bytes that wait for a client that does not take them; more are dropped, and the client is told to look for itself. */
const MOST_WAITING = 32 * 1024;

const encoder = new TextEncoder();
/** The bytes of messages. They are made once for all clients, and only kept by each. */
export const toBytes = (text: string): Uint8Array => encoder.encode(text);

const OVERFLOW = toBytes("event: overflow\ndata: {}\n\n");
const HEARTBEAT = toBytes(": \n\n");
/** Takes the headers with it. A client that lost its connection comes back after three seconds. */
const FIRST = toBytes("retry: 3000\n\n");

/** One browser that listens. What waits for it is bounded, however slow it is. */
export interface StreamClient {
	readonly body: ReadableStream<Uint8Array>;
	send(bytes: Uint8Array): void;
	overflow(): void;
	/** Shows both sides that the other is there; ends a client that has taken nothing since the last time. */
	beat(): void;
	end(): void;
}

/** `onGone` is called once, when the client has left or was ended. */
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
		const size = waiting.reduce((sum, one) => sum + one.length, bytes.length);
		isOverflowing = size > MOST_WAITING;
		if (isOverflowing) waiting = [OVERFLOW];
		else waiting.push(bytes);
		if (isAsked) give();
	};

	const body = new ReadableStream<Uint8Array>(
		{
			start(given) {
				controller = given;
			},
			pull: give,
			cancel: () => finish(() => {}),
		},
		// What is not asked for stays where it is bounded.
		{ highWaterMark: 0 },
	);

	return {
		body,
		send: push,
		overflow: () => push(OVERFLOW),
		beat() {
			// An error cuts the connection; an end would wait behind what the client does not take.
			if (isLate)
				finish(() => controller.error(new Error("the client takes nothing")));
			else if (waiting.length === 0) push(HEARTBEAT);
			else isLate = true;
		},
		end: () => finish(() => controller.close()),
	};
}
