import { FAILURE_CLASSES } from "@partnerwire/dispatcher";
import type { WorkerOptions } from "@partnerwire/dispatcher/worker";
import {
	Counter,
	collectDefaultMetrics,
	Gauge,
	Histogram,
	Registry,
} from "prom-client";
import { createGauges, type Watched } from "./gauges.ts";

type OnAttempt = NonNullable<WorkerOptions["onAttempt"]>;

/** One answered HTTP request. */
interface Answered {
	/** The operationId, or a fixed name for other paths, so that callers cannot make new labels. */
	readonly operation: string;
	readonly status: number;
	readonly durationMs: number;
}

/** The metrics of one process. Each `on…` function is a hook of the service. Every label has a bounded set of values. */
export interface Metrics {
	readonly contentType: string;
	readonly onAttempt: OnAttempt;
	readonly onBatch: (writes: number) => void;
	readonly onAnswer: (answered: Answered) => void;
	readonly onAlert: (kind: string, outcome: string) => void;
	readonly onLedgerChecked: (unbalanced: number, nowMs: number) => void;
	/** Reads the queue's gauges from this service whenever the metrics are read. */
	watch(watched: Watched): void;
	/** The metrics in Prometheus' text format. */
	render(): Promise<string>;
}

const ATTEMPT_BUCKETS_S = [
	0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20,
];
const REQUEST_BUCKETS_S = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const WRITES_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128];

const CLASSES: ReadonlySet<string> = new Set(FAILURE_CLASSES);
const classOf = (name: string | undefined) =>
	name === undefined ? "none" : CLASSES.has(name) ? name : "other";

interface MetricsOptions {
	/** Lines of output that this process could not write. */
	readonly countDroppedLines?: () => number;
}

export function createMetrics({
	countDroppedLines = () => 0,
}: MetricsOptions = {}): Metrics {
	const register = new Registry();
	const registers = [register];
	collectDefaultMetrics({ register });
	const attempts = new Counter({
		registers,
		name: "partnerwire_delivery_attempts_total",
		help: "Attempts of this process, by what they came to and the class of their failure",
		labelNames: ["outcome", "class"],
	});
	const attemptSeconds = new Histogram({
		registers,
		name: "partnerwire_delivery_attempt_duration_seconds",
		help: "How long attempts of this process took",
		labelNames: ["outcome"],
		buckets: ATTEMPT_BUCKETS_S,
	});
	const writes = new Histogram({
		registers,
		name: "partnerwire_group_commit_writes",
		help: "Writes that shared one commit",
		buckets: WRITES_BUCKETS,
	});
	const requests = new Counter({
		registers,
		name: "partnerwire_http_requests_total",
		help: "Answered requests, by operation and class of status",
		labelNames: ["operation", "status"],
	});
	const requestSeconds = new Histogram({
		registers,
		name: "partnerwire_http_request_duration_seconds",
		help: "How long requests took until they were answered",
		buckets: REQUEST_BUCKETS_S,
	});
	const alerts = new Counter({
		registers,
		name: "partnerwire_alerts_total",
		help: "Alerts to the operator, by kind and by what came of them",
		labelNames: ["kind", "outcome"],
	});
	const mismatch = new Gauge({
		registers,
		name: "partnerwire_ledger_mismatch_integrations",
		help: "Integrations whose ledger did not add up when it was last checked",
	});
	const checkedAt = new Gauge({
		registers,
		name: "partnerwire_ledger_checked_timestamp_seconds",
		help: "When this process last checked the ledger; 0 before the first time",
	});
	new Counter({
		registers,
		name: "partnerwire_log_lines_dropped_total",
		help: "Lines of this process's output that could not be written, or that nobody took",
		collect() {
			this.reset();
			this.inc(countDroppedLines());
		},
	});
	const gauges = createGauges(registers);

	return {
		contentType: register.contentType,
		onAttempt(_delivery, result, recorded) {
			const outcome = recorded?.outcome ?? "cut";
			attempts.inc({ outcome, class: classOf(result.failure?.class) });
			attemptSeconds.observe({ outcome }, result.durationMs / 1000);
		},
		onBatch: (size) => writes.observe(size),
		onAnswer({ operation, status, durationMs }) {
			requests.inc({ operation, status: `${Math.floor(status / 100)}xx` });
			requestSeconds.observe(durationMs / 1000);
		},
		onAlert: (kind, outcome) => alerts.inc({ kind, outcome }),
		onLedgerChecked(unbalanced, nowMs) {
			mismatch.set(unbalanced);
			checkedAt.set(nowMs / 1000);
		},
		watch: gauges.watch,
		async render() {
			await gauges.refresh();
			return register.metrics();
		},
	};
}
