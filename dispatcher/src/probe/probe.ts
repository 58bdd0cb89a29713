import { isIP } from "node:net";
import { TLSSocket } from "node:tls";
import type { AttemptFailure } from "../http/attempt-result.ts";
import { checkWireOptions } from "../http/check-wire-options.ts";
import {
	ConnectorError,
	type ResolvedAddress,
} from "../http/connections/connection.ts";
import { createConnector, createTrust } from "../http/connections/connector.ts";
import { resolveHost } from "../http/dns/resolve-host.ts";
import { adviceForClass, toStatusFailure } from "../http/failures.ts";
import { createAddressCheck } from "../http/guard/network-policy.ts";
import { findUrlProblem, hostOf } from "../http/guard/webhook-url.ts";
import type { WireOptions } from "../http/wire.ts";
import { withDefaults } from "../http/with-defaults.ts";
import {
	describeCertificate,
	readCertificate,
	toTlsProblem,
} from "./certificate.ts";
import { createReport, type ProbeReport, type ProbeResult } from "./report.ts";

export interface Probe {
	/** Checks a URL step by step. Never rejects because of the URL, the network or the server. */
	look(url: string): Promise<ProbeResult>;
	/** Aborts the checks in flight. */
	close(): void;
}

/**
 * Opens a probe, which checks webhook URLs before anything is sent there. The same rules for addresses, names and certificate
 * authorities apply as for deliveries (docs/decisions.md#check-of-a-webhook-url). Must be closed.
 *
 * @example
 * const { ok, checks } = await openProbe().look("https://crm.example/hook");
 */
export function openProbe(
	options: Omit<WireOptions, "connections" | "maxOrigins"> = {},
): Probe {
	const o = withDefaults(options, {
		connectTimeoutMs: 10_000,
		answerTimeoutMs: 10_000,
		allowHttp: false,
		allowPrivate: false,
		allowedNetworks: [],
		clock: () => Date.now(),
		resolve: resolveHost,
	});
	checkWireOptions(o);
	const checkAddress = createAddressCheck(o);
	const secureContext = createTrust(o.ca);
	/** Refused addresses are not shown: they would tell anybody who may write what is in the internal network. */
	const toAllowed = (found: readonly ResolvedAddress[]) =>
		found.map(({ address }) => address).filter((one) => !checkAddress(one));
	const closing = new AbortController();
	const { signal } = closing;

	async function tryUrl(url: URL, report: ProbeReport): Promise<void> {
		const host = hostOf(url);
		/** Connects as deliveries do, but accepts any certificate. It is checked afterwards. */
		const open = createConnector({
			checkAddress,
			resolve: (name, callback) =>
				o.resolve(name, (error, found) => {
					// With an error a resolver may give no list, as Node's own lookup does.
					if (!error) report.addresses.push(...toAllowed(found));
					callback(error, found);
				}),
			timeoutMs: o.connectTimeoutMs,
			secureContext,
			signal,
			acceptsAnyCertificate: true,
		});
		let isTrusted = true;
		// It loads undici, which a service's thread alone needs.
		const { ask } = await import("./ask.ts");
		const { status, failure, address } = await ask(url, {
			connect: (connection) => (target, callback) =>
				open(connection)(target, (...outcome) => {
					const [error, socket] = outcome;
					if (error) return callback(...outcome);
					tellConnection(host, connection.address, report);
					isTrusted =
						!(socket instanceof TLSSocket) ||
						tellTls(socket, report, o.clock());
					if (isTrusted) return callback(...outcome);
					socket.destroy();
					callback(new ConnectorError("ABORTED", "not trusted"), null);
				}),
			timeoutMs: o.answerTimeoutMs,
			signal,
			clock: o.clock,
		});
		report.status = status;
		const isWhole = failure === null || failure.stage === "status";
		if (status !== null && isWhole) tellStatus(status, report);
		else if (failure && isTrusted) tellFailure(failure, host, address, report);
	}

	return {
		async look(text) {
			const report = createReport();
			const problem = findUrlProblem(text, o, checkAddress);
			if (problem?.kind !== "url")
				report.passed("url", "webhooks may have a URL like this");
			if (problem) {
				const { kind, message } = problem;
				const advice = adviceForClass(`${kind}_refused`);
				report.failed(kind, `the URL ${message}`, advice);
			} else await tryUrl(new URL(text), report);
			return report.toResult();
		},
		close: () => closing.abort(),
	};
}

function tellResolved(host: string, { addresses, passed }: ProbeReport): void {
	if (isIP(host) !== 0) passed("dns", "the host is an IP address");
	else if (addresses.length === 0) passed("dns", "the host name is known");
	else passed("dns", `the host name leads to ${addresses.join(", ")}`);
}

function tellConnection(
	host: string,
	address: string | null,
	report: ProbeReport,
): void {
	tellResolved(host, report);
	report.passed("address", `${address} may be called`);
	report.passed("connect", "the server takes connections");
}

/** Reports whether deliveries would accept the certificate. */
function tellTls(
	socket: TLSSocket,
	report: ProbeReport,
	nowMs: number,
): boolean {
	report.certificate = readCertificate(socket, nowMs);
	if (socket.authorized) {
		const { message, advice } = describeCertificate(report.certificate);
		report.passed("tls", message, advice);
		return true;
	}
	const code = String(socket.authorizationError);
	const { message, advice } = toTlsProblem(code, report.certificate);
	report.failed("tls", message, advice);
	return false;
}

/** Reports how far the connection got before it failed. */
function tellFailure(
	failure: AttemptFailure,
	host: string,
	address: string | null,
	report: ProbeReport,
): void {
	const { stage } = failure;
	const advice = adviceForClass(failure.class);
	if (stage === "tls") {
		tellConnection(host, address, report);
		const problem = toTlsProblem(failure.code ?? "", null);
		report.failed("tls", problem.message, problem.advice);
	} else if (failure.class === "address_refused") {
		tellResolved(host, report);
		report.failed("address", failure.message, advice);
	} else if (stage === "dns") {
		report.failed("dns", failure.message, adviceForClass("dns_failed"));
	} else if (stage === "connect") {
		tellResolved(host, report);
		report.passed("address", `${address} may be called`);
		report.failed("connect", failure.message, advice);
	} else report.failed("answer", failure.message, advice);
}

/** Reports the answer. Any status is good, but for those with which every webhook would fail. */
function tellStatus(status: number, report: ProbeReport): void {
	const failure = toStatusFailure(status);
	const isWrong = ["redirect", "gone", "server_error"].includes(failure.class);
	if (isWrong || status < 200) {
		const advice = adviceForClass(failure.class);
		report.failed("answer", `the endpoint answered ${status}`, advice);
		return;
	}
	report.passed(
		"answer",
		`the endpoint answered ${status} to an unsigned HEAD request`,
		status === 404
			? "If a test webhook is answered 404 too, correct the path of the URL."
			: null,
	);
}
