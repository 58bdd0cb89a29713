import type { ProbedCertificate } from "./certificate.ts";

/** The steps of a probe, in their order. Each is tried only if those before it succeeded. */
export const PROBE_STEPS = [
	"url",
	"dns",
	"address",
	"connect",
	"tls",
	"answer",
] as const;
type ProbeStep = (typeof PROBE_STEPS)[number];

export interface ProbeCheck {
	readonly name: ProbeStep;
	readonly ok: boolean;
	readonly message: string;
	readonly advice: string | null;
}

/** The findings about a webhook URL. */
export interface ProbeResult {
	readonly ok: boolean;
	/** The checks, up to the first that failed. */
	readonly checks: ProbeCheck[];
	/** The addresses of the host name that may be called. */
	readonly addresses: string[];
	readonly certificate: ProbedCertificate | null;
	/** The status of its answer. */
	readonly status: number | null;
}

/** Collects the findings of a probe. */
export interface ProbeReport {
	passed(step: ProbeStep, message: string, advice?: string | null): void;
	/** Ends the probe. */
	failed(step: ProbeStep, message: string, advice: string): void;
	addresses: string[];
	certificate: ProbedCertificate | null;
	status: number | null;
	toResult(): ProbeResult;
}

export function createReport(): ProbeReport {
	const checks: ProbeCheck[] = [];
	return {
		passed(name, message, advice = null) {
			checks.push({ name, ok: true, message, advice });
		},
		failed(name, message, advice) {
			checks.push({ name, ok: false, message, advice });
		},
		addresses: [],
		certificate: null,
		status: null,
		toResult() {
			const { addresses, certificate, status } = this;
			const ok = checks.every((check) => check.ok);
			return { ok, checks, addresses, certificate, status };
		},
	};
}
