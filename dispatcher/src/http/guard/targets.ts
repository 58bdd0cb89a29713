import { LRUCache } from "lru-cache";
import type { AttemptFailure } from "../attempt-result.ts";
import { createAddressCheck, type NetworkPolicy } from "./network-policy.ts";
import { findUrlProblem } from "./webhook-url.ts";

/** A webhook URL in undici's form, or why it is refused. */
export interface Target {
	readonly origin: string;
	readonly path: string;
	readonly refusal: AttemptFailure | null;
}

/** More than the integrations of most services. Another URL is parsed again. */
const MOST_TARGETS = 4096;

/** Turns webhook URLs into targets. Each is parsed and checked once, because the policy of a wire does not change. */
export function createTargets(policy: NetworkPolicy): (url: string) => Target {
	const checkAddress = createAddressCheck(policy);
	const toTarget = (text: string): Target => {
		const problem = findUrlProblem(text, policy, checkAddress);
		if (problem) {
			const isAddress = problem.kind === "address";
			const refusal: AttemptFailure = {
				class: isAddress ? "address_refused" : "url_refused",
				stage: isAddress ? "connect" : "request",
				code: null,
				message: `the webhook URL ${problem.message}`,
			};
			return { origin: "", path: "", refusal };
		}
		const { origin, pathname, search } = new URL(text);
		return { origin, path: pathname + search, refusal: null };
	};
	const targets = new LRUCache<string, Target>({
		max: MOST_TARGETS,
		memoMethod: toTarget,
	});
	return (url) => targets.memo(url);
}
