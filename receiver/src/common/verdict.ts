import type { WebhookClaims } from "@partnerwire/wire";
import { REASONS, type Reason, statusOf } from "./reasons.ts";

/** How a request ended. */
export type Outcome =
	| "handled"
	| "stored"
	| "duplicate"
	| "unhandled"
	| "dead_letter"
	| "rejected"
	| "failed"
	| "timeout"
	| "unavailable"
	| "probe";

/** The facts about an answered request, for `onVerdict`. They are safe to print. */
export interface Observation {
	status: number;
	outcome: Outcome;
	reason?: Reason;
	/** With the option `explain`: the probable mistake. */
	explanation?: string;
	eventId?: string;
	/** `api_key` and the values of `external_settings` are masked. */
	claims?: WebhookClaims;
	jti?: string;
	sequence?: number;
	secretIndex?: number;
	fingerprint?: string;
	entity?: { key: string; uuid: string | undefined };
	conflict?: boolean;
	stale?: boolean;
	tokenReused?: boolean;
	bodyBound?: boolean;
	dedup?: "claimed" | "unavailable" | "off";
	expiredForS?: number;
	requestId?: string;
	durationMs: number;
}

/** An answer, before an adapter converts it for its framework. */
export interface Verdict {
	status: number;
	outcome: Outcome;
	reason?: Reason;
	headers: Readonly<Record<string, string>>;
	body: string;
}

const JSON_HEADERS = { "content-type": "application/json" };
/** Marks the receiver's own refusals. Those of a proxy in front of it lack the header. */
const MARK = { "x-webhook-receiver": "1" };
const RETRY_AFTER_S = "2";

const HEADERS: Partial<Record<number | Reason, Record<string, string>>> = {
	401: { "www-authenticate": "Bearer" },
	405: { allow: "POST" },
	408: { connection: "close" },
	415: {
		accept: "application/json",
		"accept-encoding": "gzip, deflate, identity",
	},
	503: { "retry-after": RETRY_AFTER_S },
};

const OUTCOMES: Partial<Record<Reason, Outcome>> = {
	DEADLINE: "timeout",
	IN_PROGRESS: "timeout",
	STORE_UNAVAILABLE: "unavailable",
};

/** Builds the answer for a reason, in the contract's error envelope (docs/contract.md#errors). */
export function toRefusal(
	reason: Reason,
	extra: { request_id?: string; explanation?: string } = {},
): Verdict {
	const status = statusOf(reason);
	const outcome = OUTCOMES[reason] ?? (status >= 500 ? "failed" : "rejected");
	return {
		status,
		outcome,
		reason,
		headers: { ...JSON_HEADERS, ...MARK, ...HEADERS[status] },
		body: JSON.stringify({
			error: { code: reason, message: REASONS[reason][1], ...extra },
		}),
	};
}

/** Builds an answer that acknowledges an event. */
export const acknowledge = (outcome: Outcome, body: object): Verdict => ({
	status: 200,
	outcome,
	headers: JSON_HEADERS,
	body: JSON.stringify({ ok: true, ...body }),
});

/** The answers that acknowledge an event: always 200, with a tiny JSON body. */
export const ACKNOWLEDGED = {
	handled: acknowledge("handled", { handled: true }),
	duplicate: acknowledge("duplicate", { duplicate: true }),
	unhandled: acknowledge("unhandled", { handled: false }),
	dead_letter: acknowledge("dead_letter", {
		handled: false,
		dead_letter: true,
	}),
} as const;

/** The answer to a probe: GET, HEAD or OPTIONS with the option `probe`. */
export const PROBED: Verdict = {
	status: 204,
	outcome: "probe",
	headers: { allow: "POST" },
	body: "",
};

/** A verdict as a web `Response`. */
export function toResponse(verdict: Verdict, method: string): Response {
	const bodiless = verdict.body === "" || method === "HEAD";
	return new Response(bodiless ? null : verdict.body, {
		status: verdict.status,
		headers: verdict.headers,
	});
}
