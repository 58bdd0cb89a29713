import type { DedupState } from "../common/context-types.ts";
import { pause, withTimeLimit } from "../common/time-limit.ts";
import { ACKNOWLEDGED, toRefusal, type Verdict } from "../common/verdict.ts";
import { type ReportOptions, tellError } from "../report/tell.ts";
import { type Awaitable, isPromise } from "../verify/platform-crypto.ts";
import type { ClaimRequest, ClaimResult, DedupStore } from "./dedup-store.ts";

/** The options for recognising duplicates by a store. */
export interface DedupeOptions {
	/** The behaviour while the store is down: `open` runs the handler without it, `closed` answers 503. */
	onStoreError: "open" | "closed";
	/** The longest time that a store that is down or hangs may cost one delivery. */
	storeTimeoutMs: number;
	/** How long a payload is remembered. 30 h by default: attempts are at most 28.8 h apart (docs/decisions.md#retries). */
	dedupTtlMs: number;
}

/** The outcome of a claim, as the work gets it. */
export interface DedupClaim {
	dedup: DedupState;
	conflict: boolean;
	stale: boolean;
}

/** How the work ended, and what happens to the claim. `leave`: its lease runs out. */
export interface WorkResult {
	verdict: Verdict;
	settle: "commit" | "release" | "leave";
	/** For work that passed the deadline: resolves to true if it succeeded after all. */
	late?: Promise<boolean>;
}

interface Running {
	deliveryId: string | null;
	verdict: Promise<Verdict>;
}

type Work = (claim: DedupClaim) => Promise<WorkResult>;

const WITHOUT_STORE = { conflict: false, stale: false } as const;
/** The pauses while another process handles a copy. They start short and double. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 250;

/** The store may be the user's code, and its promises of any kind. */
const isThenable = <T>(value: Awaitable<T>): value is Promise<T> =>
	typeof (value as { then?: unknown } | undefined)?.then === "function";

/** A copy gets the verdict of the delivery that ran. If that was acknowledged, the copy is a duplicate. */
const toCopyVerdict = (verdict: Verdict): Verdict =>
	verdict.status === 200 ? ACKNOWLEDGED.duplicate : verdict;

/**
 * Runs work once for each delivery: claim → work → commit or release. A store that is down or hangs costs at most
 * `storeTimeoutMs`.
 */
export function createDedupe(
	store: DedupStore,
	o: DedupeOptions & ReportOptions,
) {
	/** The first delivery of each fingerprint that runs here. Its copies wait for it; copies of others ask the store. */
	const running = new Map<string, Running>();
	let isDown = false;

	const line = `The dedup store fails or takes over ${o.storeTimeoutMs} ms; onStoreError: ${o.onStoreError}.`;

	/** The store's answer, or undefined if it fails or takes too long. An outage is logged once. */
	function ask<T>(call: () => Awaitable<T>, limitMs: number) {
		/** Called without an error if the time is over. */
		const failed = (error?: unknown): undefined => {
			if (error) tellError(o, line, error, undefined, isDown);
			else if (!isDown) o.log(line);
			isDown = true;
		};
		const up = (value: T): T => {
			isDown = false;
			return value;
		};
		try {
			const answer = call();
			if (!isThenable(answer)) return up(answer);
			const timely = Promise.resolve(answer).then(up, failed);
			return withTimeLimit(timely, limitMs, failed);
		} catch (error) {
			return failed(error);
		}
	}

	/** Commits or releases a claim that the store answered too late. Otherwise a retry would wait for the claim's lease. */
	function settleLater(
		pending: Promise<ClaimResult>,
		settle: WorkResult["settle"],
	): void {
		pending
			.then((result) => {
				if (result.state !== "claimed" || settle === "leave") return undefined;
				return settle === "commit"
					? store.commit(result.ticket, o.dedupTtlMs)
					: store.release(result.ticket);
			})
			.catch(() => {});
	}

	async function runWithoutStore(
		pending: Promise<ClaimResult> | undefined,
		work: Work,
	): Promise<Verdict> {
		if (o.onStoreError === "closed") {
			if (pending) settleLater(pending, "release");
			return toRefusal("STORE_UNAVAILABLE");
		}
		const result = await work({ dedup: "unavailable", ...WITHOUT_STORE });
		if (pending) settleLater(pending, result.settle);
		return result.verdict;
	}

	async function runClaimed(
		{ ticket, conflict, stale }: ClaimResult & { state: "claimed" },
		budgetMs: number,
		work: Work,
	): Promise<Verdict> {
		const result = await work({ dedup: "claimed", conflict, stale });
		const commit = () => store.commit(ticket, o.dedupTtlMs);
		if (result.settle !== "leave") {
			const release = () => store.release(ticket);
			const settled = ask(
				result.settle === "commit" ? commit : release,
				budgetMs,
			);
			if (isPromise(settled)) await settled;
		}
		result.late?.then((succeeded) => {
			if (succeeded) return ask(commit, o.storeTimeoutMs);
			return undefined;
		});
		return result.verdict;
	}

	async function claimAndRun(
		request: ClaimRequest,
		remainingMs: () => number,
		work: Work,
	): Promise<Verdict> {
		for (
			let waitMs = FIRST_PAUSE_MS;
			;
			waitMs = Math.min(waitMs * 2, LONGEST_PAUSE_MS)
		) {
			let pending: Promise<ClaimResult> | undefined;
			const askedMs = performance.now();
			const answer = ask(() => {
				const claimed = store.claim(request);
				if (isThenable(claimed)) pending = Promise.resolve(claimed);
				return claimed;
			}, o.storeTimeoutMs);
			const result = isPromise(answer) ? await answer : answer;
			if (!result) return await runWithoutStore(pending, work);
			if (result.state === "done") return ACKNOWLEDGED.duplicate;
			if (result.state === "claimed") {
				const spentMs = pending ? performance.now() - askedMs : 0;
				return await runClaimed(result, o.storeTimeoutMs - spentMs, work);
			}
			const leftMs = remainingMs();
			if (leftMs <= 0) return toRefusal("IN_PROGRESS");
			await pause(Math.min(waitMs, leftMs));
		}
	}

	/** Runs the work unless the delivery ran before. A copy that arrives while the first one runs here waits for its verdict. */
	return async function once(
		request: ClaimRequest,
		remainingMs: () => number,
		work: Work,
	): Promise<Verdict> {
		const { fingerprint, deliveryId } = request;
		const first = running.get(fingerprint);
		if (first?.deliveryId === deliveryId)
			return withTimeLimit(
				first.verdict.then(toCopyVerdict),
				remainingMs(),
				() => toRefusal("IN_PROGRESS"),
			);
		const verdict = claimAndRun(request, remainingMs, work);
		if (first) return verdict;
		running.set(fingerprint, { deliveryId, verdict });
		try {
			return await verdict;
		} finally {
			running.delete(fingerprint);
		}
	};
}
