import type { RecordedRequest } from "../../service/record-requests.ts";

/** A request that came in, by the number that the view gives it. */
export interface Arrival {
	readonly number: number;
	readonly request: RecordedRequest;
	/** The number of the one that was sent again. */
	readonly replayOf: number | undefined;
}

/** More than these are not kept: their bodies may have a megabyte each. */
const KEPT = 200;

/** Numbers what arrives, and keeps the newest for a replay. */
export function createArrivals() {
	const kept = new Map<number, Arrival>();
	let last = 0;
	return {
		add(request: RecordedRequest, replayOf?: number): Arrival {
			const arrival = { number: ++last, request, replayOf };
			kept.set(arrival.number, arrival);
			kept.delete(arrival.number - KEPT);
			return arrival;
		},
		get: (number: number): Arrival | undefined => kept.get(number),
		numbers: (): number[] => [...kept.keys()],
	};
}
