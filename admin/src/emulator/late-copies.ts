import type { Agenda } from "@partnerwire/core";
import type {
	AttemptRequest,
	AttemptResult,
	Wire,
} from "@partnerwire/dispatcher";

/** A delivery that was overtaken, and counts as delivered already. */
interface Late {
	readonly request: AttemptRequest;
	readonly onLost: () => void;
	/** Ends its wait for the next one, which came or takes too long. */
	readonly timer: NodeJS.Timeout;
	attempts: number;
	/** When it is sent by the emulator's clock; null while it waits for the next one. */
	dueAt: number | null;
	isUnderWay: boolean;
}

/** The overtaken deliveries that are still to arrive. */
export interface LateCopies {
	/** Sends it after the next one to its URL, or after so much real time. */
	add(request: AttemptRequest, delayMs: number, onLost: () => void): void;
	/** The next one to this URL was sent. */
	release(url: string): void;
	/** Sends what is due by the clock. */
	sendDue(): void;
	agenda(nowMs: number): Agenda;
	/** Forgets what is not under way. */
	stop(): void;
	/** Resolves when nothing is under way. */
	idle(): Promise<void>;
}

/** How often to look for what is due while the clock runs. */
const POLL_MS = 50;

/**
 * Keeps what is overtaken until a receiver took it: nobody else tries it again, because the queue has it as delivered. It is lost
 * when the schedule is over.
 */
export function createLateCopies(
	wire: Wire,
	clock: () => number,
	retrySchedule: readonly number[],
): LateCopies {
	const copies = new Set<Late>();
	const underWay = new Set<Promise<void>>();
	const isDue = ({ dueAt, isUnderWay }: Late) =>
		!isUnderWay && dueAt !== null && dueAt <= clock();
	let poll: NodeJS.Timeout | undefined;

	function plan(late: Late, { delivered }: AttemptResult): void {
		late.attempts++;
		late.isUnderWay = false;
		const delayS = retrySchedule[late.attempts];
		if (!delivered && delayS !== undefined) {
			late.dueAt = clock() + delayS * 1000;
			return;
		}
		forget(late);
		if (!delivered) late.onLost();
	}

	function forget(late: Late): void {
		clearTimeout(late.timer);
		copies.delete(late);
		if (copies.size > 0) return;
		clearInterval(poll);
		poll = undefined;
	}

	function sendDue(): void {
		for (const late of [...copies].filter(isDue)) {
			late.isUnderWay = true;
			const sent = wire
				.attempt(late.request)
				.then((result) => plan(late, result))
				.finally(() => underWay.delete(sent));
			underWay.add(sent);
		}
	}

	function release(late: Late): void {
		late.dueAt ??= clock();
		sendDue();
	}

	return {
		add(request, delayMs, onLost) {
			const timer = setTimeout(() => release(late), delayMs).unref();
			const late: Late = {
				request,
				onLost,
				timer,
				attempts: 0,
				dueAt: null,
				isUnderWay: false,
			};
			copies.add(late);
			poll ??= setInterval(sendDue, POLL_MS).unref();
		},
		release(url) {
			for (const late of copies) if (late.request.url === url) release(late);
		},
		sendDue,
		agenda(nowMs) {
			const all = [...copies];
			const times = all.flatMap(({ dueAt }) =>
				dueAt !== null && dueAt > nowMs ? [dueAt] : [],
			);
			return {
				isBusy: all.some((late) => late.isUnderWay || isDue(late)),
				isBound: all.some(({ dueAt }) => dueAt === null),
				nextAt: times.length > 0 ? Math.min(...times) : null,
			};
		},
		stop() {
			for (const late of copies) forget(late);
		},
		async idle() {
			await Promise.all(underWay);
		},
	};
}
