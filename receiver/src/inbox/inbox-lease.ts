import type { InboxTicket } from "./inbox-store.ts";
import type { WorkerStore } from "./inbox-time-limit.ts";

/** A hold on an event, renewed while this process lives. */
export interface Lease {
	/** May the event still be ours, as far as this process can know? */
	isHeld(): boolean;
	/** Renews it no more. */
	end(): void;
}

/** Renews a lease thrice in its time; tells once when it is lost, be it to another process or because the store cannot be reached. */
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
