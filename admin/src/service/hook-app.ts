import { randomUUID } from "node:crypto";
import type { Receiver } from "@partnerwire/receiver";
import { toH3Handler } from "@partnerwire/receiver/h3";
import { H3 } from "h3";
import { hasPassed, toAnswerHeaders, toForwarded } from "./pass-headers.ts";
import { readAtMost } from "./read-at-most.ts";

export interface ForwardAnswer {
	readonly status: number | null;
	/** Why there was no answer. */
	readonly error: string | null;
	/** The beginning of the answer's body. */
	readonly body: string;
	readonly durationMs: number;
}

/** The same as the service waits for a receiver. */
const TIMEOUT_MS = 10_000;
/** Bytes of an answer that are passed on: no sender reads more. */
const ANSWER_BYTES = 64 * 1024;

/** Bytes of an answer's body that `onForward` gets. */
const SHOWN_BYTES = 500;

export interface HookAppOptions {
	/** Answers verified events with this status instead of 200. */
	readonly status?: number | undefined;
	/** Forwards verified requests to this URL, and answers with that receiver's answer. */
	readonly forward?: string | undefined;
	readonly onForward?: (answer: ForwardAnswer) => void;
	/** How long that receiver may take, its body included. */
	readonly forwardTimeoutMs?: number;
}

/** A receiver as an app at any path. For local work it can forward requests or answer with another status. */
export function createHookApp(
	receiver: Receiver,
	options: HookAppOptions = {},
): H3 {
	const { forward, status } = options;
	const verified = toH3Handler(receiver);
	const app = new H3();
	if (forward === undefined) {
		return app.all("/**", async (event) => {
			const answer = await verified(event);
			const isReplaced = status !== undefined && answer.status === 200;
			const hasBody = status === undefined || ![204, 205, 304].includes(status);
			return isReplaced
				? new Response(hasBody ? await answer.text() : null, {
						status,
						headers: answer.headers,
					})
				: answer;
		});
	}
	/** Recognises a request that this listener forwarded and that came back. */
	const id = randomUUID();
	return app.all("/**", async (event) => {
		const { method, headers } = event.req;
		if (hasPassed(headers, id)) return new Response(null, { status: 508 });
		const body = method === "POST" ? await event.req.arrayBuffer() : null;
		const answer = await receiver.fetch(
			new Request(event.url, { method, headers, body }),
		);
		if (answer.status !== 200) return answer;
		return passOn(forward, toForwarded(headers, id), body, options);
	});
}

async function passOn(
	url: string,
	headers: Headers,
	body: ArrayBuffer | null,
	{ onForward, forwardTimeoutMs = TIMEOUT_MS }: HookAppOptions,
): Promise<Response> {
	const startedMs = performance.now();
	const tell = (answer: Omit<ForwardAnswer, "durationMs">) =>
		onForward?.({
			...answer,
			durationMs: Math.round(performance.now() - startedMs),
		});
	try {
		const answer = await fetch(url, {
			method: "POST",
			headers,
			body,
			redirect: "manual",
			signal: AbortSignal.timeout(forwardTimeoutMs),
		});
		const { status } = answer;
		const bytes = await readAtMost(answer.body, ANSWER_BYTES);
		const shown = new TextDecoder().decode(bytes.slice(0, SHOWN_BYTES));
		tell({ status, error: null, body: shown });
		const hasBody = ![204, 205, 304].includes(status);
		return new Response(hasBody ? bytes : null, {
			status,
			headers: toAnswerHeaders(answer.headers),
		});
	} catch (error) {
		tell({ status: null, error: toReason(error), body: "" });
		return new Response(null, { status: 502 });
	}
}

/** Why fetch failed: the code is in the error's cause. */
function toReason(error: unknown): string {
	const { cause, message, name } = error as Error;
	if (name === "TimeoutError") return "no answer in time";
	const { code } = (cause ?? {}) as { code?: unknown };
	return code === undefined ? message : String(code);
}
