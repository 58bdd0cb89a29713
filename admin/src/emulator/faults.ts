import type {
	DeliveryFault,
	Fault,
	FaultRule,
	RequestFault,
} from "./fault-rules.ts";
import { REQUEST_FAULTS } from "./fault-rules.ts";

/** What a rule looks at in a request. */
interface RequestFacts {
	readonly method: string;
	readonly path: string;
	readonly operationId: string | undefined;
}

/** What a rule looks at in a delivery. */
interface DeliveryFacts {
	readonly url: string;
	readonly eventId: unknown;
}

/** The rules for what goes wrong, in the order in which they were made; the first that matches strikes. */
export interface Faults {
	add(rule: FaultRule): Fault;
	list(): readonly Fault[];
	/** False when there is none of this id. */
	remove(id: number): boolean;
	clear(): void;
	ofRequest(facts: RequestFacts): RequestFault | undefined;
	ofDelivery(facts: DeliveryFacts): (Fault & DeliveryFault) | undefined;
}

export function createFaults(): Faults {
	let faults: Fault[] = [];
	let lastId = 0;

	/** Counts the match, and says whether it is the rule's turn. */
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
		ofRequest: (facts) =>
			faults
				.filter(isRequestFault)
				.find((fault) => matchesRequest(fault, facts) && strikes(fault)),
		ofDelivery: (facts) =>
			faults
				.filter(isDeliveryFault)
				.find((fault) => matchesDelivery(fault, facts) && strikes(fault)),
	};
}

const isRequestFault = (fault: Fault): fault is Fault & RequestFault =>
	(REQUEST_FAULTS as readonly string[]).includes(fault.kind);
const isDeliveryFault = (fault: Fault): fault is Fault & DeliveryFault =>
	!isRequestFault(fault);

const isEqualOrOpen = <Value>(wanted: Value | undefined, given: unknown) =>
	wanted === undefined || wanted === given;

const matchesRequest = (rule: RequestFault, facts: RequestFacts): boolean =>
	isEqualOrOpen(rule.method, facts.method) &&
	isEqualOrOpen(rule.operation_id, facts.operationId) &&
	(rule.path === undefined || matchesGlob(rule.path, facts.path));

const matchesDelivery = (rule: DeliveryFault, facts: DeliveryFacts): boolean =>
	isEqualOrOpen(rule.event_id, facts.eventId) &&
	(rule.webhook_url === undefined || matchesGlob(rule.webhook_url, facts.url));

/** Whether a text is the pattern, in which `*` stands for anything; without a regular expression, which could be made slow. */
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
