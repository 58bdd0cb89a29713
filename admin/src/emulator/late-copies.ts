import type { Agenda } from "@partnerwire/core";
import type {
	AttemptRequest,
	AttemptResult,
	Wire,
} from "@partnerwire/dispatcher";

/** A delivery that was overtaken. The queue counts it as delivered already. */
interface OvertakenCopy {
	readonly request: AttemptRequest;
	readonly onLost: () => void;
	/** Ends the wait for the next delivery after `delayMs`. */
	readonly timer: NodeJS.Timeout;
	attempts: number;
	/** When it is sent, by the emulator's clock. Null while it waits for the next delivery. */
	dueAt: number | null;
	isUnderWay: boolean;
}

/** The overtaken deliveries that are still to be sent. */
export interface LateCopies {
	/** Sends the request after the next one to its URL, or after `delayMs` of real time. */
	add(request: AttemptRequest, delayMs: number, onLost: () => void): void;
	/** To be called when the next delivery to this URL was sent. */
	release(url: string): void;
	/** Sends the copies that are due by the clock. */
	sendDue(): void;
	agenda(nowMs: number): Agenda;
	/** Forgets the copies that are not under way. */
	stop(): void;
	/** Resolves when no copy is under way. */
	idle(): Promise<void>;
}

/** How often to look for due copies while the clock runs. */
const POLL_MS = 50;

/**
 * Keeps overtaken deliveries until a receiver accepts them. They are retried here, because the queue counts them as
 * delivered. At the end of the schedule they are lost.
 */
export function createLateCopies(
	wire: Wire,
	clock: () => number,
	retrySchedule: readonly number[],
): LateCopies {
	const copies = new Set<OvertakenCopy>();
	const underWay = new Set<Promise<void>>();
	const isDue = ({ dueAt, isUnderWay }: OvertakenCopy) =>
		!isUnderWay && dueAt !== null && dueAt <= clock();
	let poll: NodeJS.Timeout | undefined;

	function plan(copy: OvertakenCopy, { delivered }: AttemptResult): void {
		copy.attempts++;
		copy.isUnderWay = false;
		const delayS = retrySchedule[copy.attempts];
		if (!delivered && delayS !== undefined) {
			copy.dueAt = clock() + delayS * 1000;
			return;
		}
		forget(copy);
		if (!delivered) copy.onLost();
	}

	function forget(copy: OvertakenCopy): void {
		clearTimeout(copy.timer);
		copies.delete(copy);
		if (copies.size > 0) return;
		clearInterval(poll);
		poll = undefined;
	}

	function sendDue(): void {
		for (const copy of [...copies].filter(isDue)) {
			copy.isUnderWay = true;
			const sent = wire
				.attempt(copy.request)
				.then((result) => plan(copy, result))
				.finally(() => underWay.delete(sent));
			underWay.add(sent);
		}
	}

	function release(copy: OvertakenCopy): void {
		copy.dueAt ??= clock();
		sendDue();
	}

	return {
		add(request, delayMs, onLost) {
			const timer = setTimeout(() => release(copy), delayMs).unref();
			const copy: OvertakenCopy = {
				request,
				onLost,
				timer,
				attempts: 0,
				dueAt: null,
				isUnderWay: false,
			};
			copies.add(copy);
			poll ??= setInterval(sendDue, POLL_MS).unref();
		},
		release(url) {
			for (const copy of copies) if (copy.request.url === url) release(copy);
		},
		sendDue,
		agenda(nowMs) {
			const all = [...copies];
			const times = all.flatMap(({ dueAt }) =>
				dueAt !== null && dueAt > nowMs ? [dueAt] : [],
			);
			return {
				isBusy: all.some((copy) => copy.isUnderWay || isDue(copy)),
				isBound: all.some(({ dueAt }) => dueAt === null),
				nextAt: times.length > 0 ? Math.min(...times) : null,
			};
		},
		stop() {
			for (const copy of copies) forget(copy);
		},
		async idle() {
			await Promise.all(underWay);
		},
	};
}
