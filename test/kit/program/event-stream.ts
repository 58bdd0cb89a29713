import type { SignedIn } from "./dashboard.ts";

export interface StreamedEvent {
	event: string;
	// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the stream says.
	data: any;
}

/** A browser's end of the live stream. */
export interface EventStream {
	readonly status: number;
	readonly headers: Headers;
	/** Everything that came so far, comments too. */
	text(): string;
	/** The first event that the predicate likes, of those that came and will come; rejects when the stream ends before. */
	until(likes: (event: StreamedEvent) => boolean): Promise<StreamedEvent>;
	/** Resolves when the other side has ended the stream. */
	readonly ended: Promise<void>;
	close(): void;
}

const parse = (block: string): StreamedEvent[] => {
	const event = /^event: (.*)$/m.exec(block)?.[1];
	const data = /^data: (.*)$/m.exec(block)?.[1];
	return event && data ? [{ event, data: JSON.parse(data) }] : [];
};

/** Opens the stream as somebody who is signed in. Resolves when its headers are there. */
export async function openEventStream(
	url: string,
	{ cookie }: Pick<SignedIn, "cookie">,
	headers: Record<string, string> = {},
): Promise<EventStream> {
	const leaving = new AbortController();
	const answer = await fetch(`${url}/_admin/stream`, {
		headers: { cookie, accept: "text/event-stream", ...headers },
		signal: leaving.signal,
	});
	let text = "";
	let isOver = false;
	let onChange = () => {};
	const changed = () =>
		new Promise<void>((resolve) => {
			onChange = resolve;
		});

	async function read(): Promise<void> {
		const decoder = new TextDecoder();
		try {
			for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
				text += decoder.decode(chunk, { stream: true });
				onChange();
			}
		} catch {
			// Left, or cut.
		}
		isOver = true;
		onChange();
	}
	const ended = read();

	return {
		status: answer.status,
		headers: answer.headers,
		text: () => text,
		async until(likes) {
			for (;;) {
				const next = changed();
				const found = text
					.split("\n\n")
					.slice(0, -1)
					.flatMap(parse)
					.find(likes);
				if (found) return found;
				if (isOver) throw new Error(`the stream ended: ${text}`);
				await next;
			}
		},
		ended,
		close: () => leaving.abort(),
	};
}
