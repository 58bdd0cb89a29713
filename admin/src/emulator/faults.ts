import type {
	DeliveryFault,
	Fault,
	FaultRule,
	RequestFault,
} from "./fault-rules.ts";
import { REQUEST_FAULTS } from "./fault-rules.ts";

/** The parts of a request that rules match. */
interface RequestFacts {
	readonly method: string;
	readonly path: string;
	readonly operationId: string | undefined;
}

/** The parts of a delivery that rules match. */
interface DeliveryFacts {
	readonly url: string;
	readonly eventId: unknown;
}

/** The fault rules, in the order of their creation. The first rule that matches is applied. */
export interface Faults {
	add(rule: FaultRule): Fault;
	list(): readonly Fault[];
	/** False if there is no fault with this id. */
	remove(id: number): boolean;
	clear(): void;
	ofRequest(request: RequestFacts): RequestFault | undefined;
	ofDelivery(delivery: DeliveryFacts): (Fault & DeliveryFault) | undefined;
}

export function createFaults(): Faults {
	let faults: Fault[] = [];
	let lastId = 0;

	/** Counts the match. True if the rule is past `after` and not yet at `times`. */
	const strikes = (fault: Fault): boolean => {
		if (fault.times !== null && fault.struck >= fault.times) return false;
		if (++fault.matched <= fault.after) return false;
		fault.struck++;
		return true;
	};

	return {
		add(rule) {
			const fault = { ...rule, id: ++lastId, matched: 0, struck: 0, lost: 0 };
			faults.push(fault);
			return fault;
		},
		list: () => faults,
		remove(id) {
			const before = faults.length;
			faults = faults.filter((fault) => fault.id !== id);
			return faults.length < before;
		},
		clear() {
			faults = [];
			lastId = 0;
		},
		ofRequest: (request) =>
			faults
				.filter(isRequestFault)
				.find((fault) => matchesRequest(fault, request) && strikes(fault)),
		ofDelivery: (delivery) =>
			faults
				.filter(isDeliveryFault)
				.find((fault) => matchesDelivery(fault, delivery) && strikes(fault)),
	};
}

const isRequestFault = (fault: Fault): fault is Fault & RequestFault =>
	(REQUEST_FAULTS as readonly string[]).includes(fault.kind);
const isDeliveryFault = (fault: Fault): fault is Fault & DeliveryFault =>
	!isRequestFault(fault);

const isEqualOrOpen = <Value>(wanted: Value | undefined, actual: unknown) =>
	wanted === undefined || wanted === actual;

const matchesRequest = (rule: RequestFault, request: RequestFacts): boolean =>
	isEqualOrOpen(rule.method, request.method) &&
	isEqualOrOpen(rule.operation_id, request.operationId) &&
	(rule.path === undefined || matchesGlob(rule.path, request.path));

const matchesDelivery = (
	rule: DeliveryFault,
	delivery: DeliveryFacts,
): boolean =>
	isEqualOrOpen(rule.event_id, delivery.eventId) &&
	(rule.webhook_url === undefined ||
		matchesGlob(rule.webhook_url, delivery.url));

/** Whether a text matches a pattern, in which `*` means anything. Not a regular expression: some of those are very slow. */
export function matchesGlob(pattern: string, text: string): boolean {
	const [first = "", ...rest] = pattern.split("*");
	if (rest.length === 0) return text === first;
	const last = rest.pop() as string;
	if (!text.startsWith(first) || !text.endsWith(last)) return false;
	let at = first.length;
	for (const part of rest) {
		const found = text.indexOf(part, at);
		if (found < 0) return false;
		at = found + part.length;
	}
	return at <= text.length - last.length;
}
