/** Text that waits for a client that does not take it; more is dropped, and the client is told to look for itself. */
const MOST_BUFFERED = 32 * 1024;

const OVERFLOW = "event: overflow\ndata: {}\n\n";
const encoder = new TextEncoder();

/** One browser that listens. What waits for it is bounded, however slow it is. */
export interface StreamClient {
	readonly body: ReadableStream<Uint8Array>;
	send(text: string): void;
	overflow(): void;
	/** Shows both sides that the other is there; ends a client that has taken nothing since the last time. */
	beat(): void;
	end(): void;
}

/** `onGone` is called once, when the client has left or was ended. */
export function createStreamClient(onGone: () => void): StreamClient {
	// Its first bytes take the headers with them. A client that lost its connection comes back after three seconds.
	let buffer = "retry: 3000\n\n";
	let isOverflowing = false;
	let isWaiting = false;
	let isLate = false;
	let isOver = false;
	let controller: ReadableStreamDefaultController<Uint8Array>;

	const flush = () => {
		isWaiting = false;
		isOverflowing = false;
		isLate = false;
		controller.enqueue(encoder.encode(buffer));
		buffer = "";
	};
	const finish = (how: () => void) => {
		if (isOver) return;
		isOver = true;
		buffer = "";
		how();
		onGone();
	};
	const push = (text: string) => {
		if (isOver || isOverflowing) return;
		if (buffer.length + text.length > MOST_BUFFERED) {
			buffer = OVERFLOW;
			isOverflowing = true;
		} else buffer += text;
		if (isWaiting) flush();
	};

	const body = new ReadableStream<Uint8Array>(
		{
			start(given) {
				controller = given;
			},
			pull() {
				if (buffer === "") isWaiting = true;
				else flush();
			},
			cancel: () => finish(() => {}),
		},
		// What is not asked for stays in the bounded buffer.
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
			else if (buffer === "") push(": \n\n");
			else isLate = true;
		},
		end: () => finish(() => controller.close()),
	};
}
