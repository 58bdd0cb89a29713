import type { RecordedRequest } from "../../service/record-requests.ts";

/** A request that came in, with its number in the view. */
export interface Arrival {
	readonly number: number;
	readonly request: RecordedRequest;
	/** For a replay, the number of the original request. */
	readonly replayOf: number | undefined;
}

/** The number of requests that are kept. */
const KEPT = 200;
const KEPT_BYTES = 16 * 1024 * 1024;

/** Numbers the requests, and keeps the newest verified ones for replays. */
export function createArrivals() {
	const kept = new Map<number, Arrival>();
	let last = 0;
	let bytes = 0;
	return {
		add(request: RecordedRequest, replayOf?: number): Arrival {
			return { number: ++last, request, replayOf };
		},
		keep(arrival: Arrival): void {
			kept.set(arrival.number, arrival);
			bytes += arrival.request.body.byteLength;
			for (const [number, { request }] of kept) {
				if (kept.size <= KEPT && bytes <= KEPT_BYTES) break;
				kept.delete(number);
				bytes -= request.body.byteLength;
			}
		},
		get: (number: number): Arrival | undefined => kept.get(number),
		numbers: (): number[] => [...kept.keys()],
	};
}
