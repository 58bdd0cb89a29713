import type { InboxTicket } from "./inbox-store.ts";
import type { WorkerStore } from "./inbox-time-limit.ts";

/** A process's hold on an event of the inbox. It is renewed while the process lives. */
export interface Lease {
	/** Is the event still ours, as far as this process can know? */
	isHeld(): boolean;
	/** Stops renewing. */
	end(): void;
}

/** Renews a lease every third of its time. Calls `onLost` once if another process has it or the store cannot be reached. */
export function holdLease(
	store: WorkerStore,
	ticket: InboxTicket,
	leaseMs: number,
	onLost: () => void,
): Lease {
	let heldUntilMs = performance.now() + leaseMs;
	let isLost = false;
	const lose = () => {
		clearInterval(timer);
		if (!isLost) onLost();
		isLost = true;
	};
	async function renew(): Promise<void> {
		const askedMs = performance.now();
		try {
			if (await store.extend(ticket, leaseMs)) heldUntilMs = askedMs + leaseMs;
			else lose();
		} catch {
			if (performance.now() > heldUntilMs) lose();
		}
	}
	const timer = setInterval(renew, Math.max(1, leaseMs / 3));
	return {
		isHeld: () => !isLost && performance.now() <= heldUntilMs,
		end: () => clearInterval(timer),
	};
}
