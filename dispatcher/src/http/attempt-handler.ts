import type { Dispatcher } from "undici";
import {
	captureBody,
	captureHeaders,
	KEPT_BODY_BYTES,
} from "./answers/response-capture.ts";
import { parseRetryAfter } from "./answers/retry-after.ts";
import type {
	AttemptFailure,
	AttemptResult,
	FailureStage,
	ResponseHeaders,
} from "./attempt-result.ts";
import { ANSWER_BYTES } from "./connections/bounded-reads.ts";
import { type Connection, createConnection } from "./connections/connection.ts";
import { CutError } from "./cut-error.ts";
import type { Deadline } from "./deadlines.ts";
import { toNetworkFailure, toStatusFailure } from "./failures.ts";
import type { Place } from "./linked-list.ts";

/** The number of interim answers (1xx) that are skipped. One more ends the attempt. */
const MOST_INTERIM_ANSWERS = 16;

export interface AttemptHooks {
	/** Called when the request is written: the receiver's time starts. */
	onSent(handler: AttemptHandler, nowMs: number): void;
	onEnd(handler: AttemptHandler): void;
}

/** One request of an attempt, as undici's dispatch handler: without a stream and a promise for each chunk. */
export class AttemptHandler implements Dispatcher.DispatchHandler {
	connection: Connection = createConnection();
	/** Its place among the wire's requests in flight, and its time limit once it is sent. */
	place: Place<AttemptHandler> | null = null;
	deadline: Deadline<AttemptHandler> | null = null;
	readonly #hooks: AttemptHooks;
	readonly #spellings: readonly string[];
	readonly #token: string | undefined;
	#controller: Dispatcher.DispatchController | undefined;
	#isReused = false;
	#hasAnswerBegun = false;
	#isEnded = false;
	#interimAnswers = 0;
	#sentAt = 0;
	#headersAt = 0;
	/** The status of a whole head. */
	#status: number | null = null;
	/** The status that came, even if the rest of the head is missing or invalid. */
	#firstStatus: number | null = null;
	#headers: ResponseHeaders = {};
	#retryAfter: string | readonly string[] | null = null;
	#chunks: Buffer[] = [];
	#bytesRead = 0;
	#failure: AttemptFailure | null = null;
	#endedAt = 0;

	/** `spellings`: the secrets in all their spellings. If an answer echoes them or a part of the token, they are masked. */
	constructor(
		hooks: AttemptHooks,
		spellings: readonly string[],
		token?: string,
	) {
		this.#hooks = hooks;
		this.#spellings = spellings;
		this.#token = token;
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		// undici starts a waiting request even if its attempt was cut in the meantime.
		if (this.#isEnded) {
			controller.abort(new CutError("ABORTED"));
			return;
		}
		this.#controller = controller;
		this.#isReused = this.connection.uses++ > 0;
		this.connection.isAsked = true;
		this.connection.unread = ANSWER_BYTES;
		this.connection.statusLines.begin();
		this.#sentAt = performance.now();
		this.#hooks.onSent(this, this.#sentAt);
	}

	/** undici calls this at the first byte of an answer. */
	onResponseStarted(): void {
		this.#hasAnswerBegun = true;
	}

	onResponseStart(
		_controller: Dispatcher.DispatchController,
		status: number,
		headers: Record<string, string | string[] | undefined>,
	): void {
		// undici ends a switch of protocols that has the header Upgrade, and no other.
		if (status === 101) this.cut(new CutError("SWITCHED"));
		if (status < 200) {
			if (++this.#interimAnswers > MOST_INTERIM_ANSWERS)
				this.cut(new CutError("ANSWER_TOO_LARGE"));
			return;
		}
		this.#headersAt = performance.now();
		this.#status = status;
		this.#headers = captureHeaders(headers, this.#spellings, this.#token);
		this.#retryAfter = headers["retry-after"] ?? null;
	}

	onResponseData(
		_controller: Dispatcher.DispatchController,
		chunk: Buffer,
	): void {
		// One byte more than is kept shows that the body was cut.
		if (this.#bytesRead <= KEPT_BODY_BYTES) this.#chunks.push(chunk);
		this.#bytesRead += chunk.length;
	}

	onResponseEnd(): void {
		this.#end(this.connection.fault);
	}

	onResponseError(
		_controller: Dispatcher.DispatchController,
		error: Error,
	): void {
		this.#end(this.connection.fault ?? error);
	}

	/** Ends the request now. The error decides the failure's class. */
	cut(error: CutError): void {
		this.#end(error);
		this.#controller?.abort(error);
	}

	/** True if a kept-alive connection died before any byte of an answer. The request is then sent once more. */
	get wasResetOnReuse(): boolean {
		return (
			this.#isReused &&
			!this.#hasAnswerBegun &&
			this.#failure?.class === "reset"
		);
	}

	toResult(
		start: { readonly clockMs: number; readonly monotonicMs: number },
		retriedOnReset: boolean,
	): AttemptResult {
		const { connection } = this;
		const isFresh = !this.#isReused;
		const elapsedMs = Math.round(this.#endedAt - start.monotonicMs);
		return {
			delivered: this.#failure === null,
			status: this.#firstStatus,
			failure: this.#failure,
			startedAt: start.clockMs,
			durationMs: elapsedMs,
			timings: {
				dnsMs: isFresh ? connection.dnsMs : null,
				connectMs: isFresh ? connection.connectMs : null,
				tlsMs: isFresh ? connection.tlsMs : null,
				headersMs:
					this.#headersAt === 0 ? null : this.#headersAt - this.#sentAt,
				bodyMs: this.#headersAt === 0 ? null : this.#endedAt - this.#headersAt,
			},
			address: connection.address,
			retriedOnReset,
			responseHeaders: this.#headers,
			responseBody: captureBody(this.#chunks, this.#spellings, this.#token),
			retryAfterMs:
				this.#retryAfter === null
					? null
					: parseRetryAfter(this.#retryAfter, start.clockMs + elapsedMs),
		};
	}

	#stage(): FailureStage {
		if (this.#status !== null) return "body";
		if (this.#sentAt !== 0) return this.#hasAnswerBegun ? "headers" : "request";
		return this.connection.stage === "open" ? "request" : this.connection.stage;
	}

	/** A 200 counts as complete when its first 64 KiB have come, if most of them are its body (docs/decisions.md#bounds-of-an-answer). */
	#isLongBody(error: Error): boolean {
		const isTooLarge =
			error instanceof CutError && error.code === "ANSWER_TOO_LARGE";
		return isTooLarge && this.#bytesRead >= ANSWER_BYTES / 2;
	}

	#end(error: Error | null): void {
		if (this.#isEnded) return;
		this.#isEnded = true;
		this.#endedAt = performance.now();
		// A request that is not sent yet may wait for a connection on which another request is in flight.
		if (this.#sentAt !== 0) {
			this.connection.isAsked = false;
			this.connection.unread = 0;
			this.#firstStatus = this.connection.statusLines.status;
		}
		// A status other than 200 is the result, whatever happens to the body.
		if (this.#status !== null && this.#status !== 200)
			this.#failure = toStatusFailure(this.#status);
		else if (error && !this.#isLongBody(error))
			this.#failure = toNetworkFailure(error, this.#stage());
		this.#hooks.onEnd(this);
	}
}
