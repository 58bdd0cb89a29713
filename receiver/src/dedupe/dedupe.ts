import type { DedupState } from "../common/context-types.ts";
import { pause, withTimeLimit } from "../common/time-limit.ts";
import { ACKNOWLEDGED, toRefusal, type Verdict } from "../common/verdict.ts";
import { tellError } from "../handle/tell.ts";
import type { ResolvedOptions } from "../options.ts";
import { type Awaitable, isPromise } from "../verify/platform-crypto.ts";
import type { ClaimRequest, ClaimResult, DedupStore } from "./dedup-store.ts";

/** What the work is told of its claim. */
export interface DedupClaim {
	dedup: DedupState;
	conflict: boolean;
	stale: boolean;
}

/** How the work ended and what becomes of the claim; `leave` lets it run into its lease. */
export interface WorkResult {
	verdict: Verdict;
	settle: "commit" | "release" | "leave";
	/** Of work that passed the deadline: resolves to true if it succeeded after all. */
	late?: Promise<boolean>;
}

interface Running {
	deliveryId: string | null;
	verdict: Promise<Verdict>;
}

type Work = (claim: DedupClaim) => Promise<WorkResult>;

const WITHOUT_STORE = { conflict: false, stale: false } as const;
/** Waiting for another process's copy: often at first, then calmly. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 250;

/** A store is the user's: its promises may be of any kind. */
const isThenable = <T>(value: Awaitable<T>): value is Promise<T> =>
	typeof (value as { then?: unknown } | undefined)?.then === "function";

/** A copy gets the outcome of the one that ran; an acknowledged one is a duplicate (case F04). */
const toCopyVerdict = (verdict: Verdict): Verdict =>
	verdict.status === 200 ? ACKNOWLEDGED.duplicate : verdict;

/**
 * Runs work once per delivery: claim → work → commit or release (cases F01–F04). A store that is down or hangs costs at most
 * `storeTimeoutMs` (case F09).
 */
export function createDedupe(store: DedupStore, o: ResolvedOptions) {
	/** By fingerprint, the first of each: a copy of any other asks the store. */
	const running = new Map<string, Running>();
	let isDown = false;

	/** The store's answer, or undefined if it fails or takes too long; the log hears of an outage once. */
	function ask<T>(call: () => Awaitable<T>, limitMs: number) {
		const line = `The dedup store fails or takes over ${o.storeTimeoutMs} ms; onStoreError: ${o.onStoreError}.`;
		/** Without an error it is too late. */
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

	/** Settles a claim whose answer came after it was given up, by how its work ended; else a retry would wait for its lease. */
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
			if (!result) return runWithoutStore(pending, work);
			if (result.state === "done") return ACKNOWLEDGED.duplicate;
			if (result.state === "claimed") {
				const spentMs = pending ? performance.now() - askedMs : 0;
				return runClaimed(result, o.storeTimeoutMs - spentMs, work);
			}
			const leftMs = remainingMs();
			if (leftMs <= 0) return toRefusal("IN_PROGRESS");
			await pause(Math.min(waitMs, leftMs));
		}
	}

	/** Runs the work unless the delivery ran before; a copy that arrives while the first one runs here waits for its outcome. */
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
