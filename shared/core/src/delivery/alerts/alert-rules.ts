import type { AlertKind } from "../../db/tables/upkeep.ts";
import { CLOCK_SKEW_MS } from "../../values/clock-skew.ts";
import { dueBefore, type Pulse } from "../read-gauges.ts";

/** The newest alert of a kind that an integration has had. */
interface LastAlert {
	readonly id: number;
	readonly createdAt: number;
	readonly sinceAt: number;
}
export type LastAlerts = Partial<Record<AlertKind, LastAlert>>;

export interface AlertLimits {
	/** A delivery that has been due for longer is overdue. */
	readonly ageMs: number;
	/** The same alert of the same integration comes at most this often, unless it recovered in between. */
	readonly everyMs: number;
}

/** Something to report about an integration now. */
export interface Finding {
	readonly kind: AlertKind;
	/** When it began. */
	readonly sinceAt: number;
}

/**
 * The reasons with which Partnerwire pauses an integration by itself (docs/decisions.md#410,
 * docs/decisions.md#only-failures-for-five-days).
 */
const OWN_PAUSES = new Set(["gone", "failing"]);

/**
 * Compares the state of an integration with the alerts it has had, and finds the ones to raise now. The stored alerts
 * are the only memory, so a restart repeats nothing. `recovered` is raised once everything reported is over; after it,
 * each kind may be raised again.
 */
export function findAlerts(
	pulse: Pulse,
	last: LastAlerts,
	{ ageMs, everyMs }: AlertLimits,
	nowMs: number,
): Finding[] {
	const isOpen = (kind: AlertKind) =>
		(last[kind]?.id ?? 0) > (last.recovered?.id ?? 0);
	const isQuiet = (kind: AlertKind) =>
		nowMs - (last[kind]?.createdAt ?? Number.NEGATIVE_INFINITY) >= everyMs;
	const { status, pausedAt, pauseReason, failingSince, lastSuccessAt } = pulse;
	if (status === "paused") {
		const isNews =
			OWN_PAUSES.has(pauseReason ?? "") &&
			pausedAt !== null &&
			last.paused?.sinceAt !== pausedAt;
		return isNews && (!isOpen("paused") || isQuiet("paused"))
			? [{ kind: "paused", sinceAt: pausedAt }]
			: [];
	}
	const findings: Finding[] = [];
	if (failingSince !== null && !isOpen("failing"))
		findings.push({ kind: "failing", sinceAt: failingSince });
	const dueAt = dueBefore(pulse, nowMs);
	const isOverdue = dueAt !== null && nowMs - dueAt > ageMs;
	if (isOverdue && (!isOpen("overdue") || isQuiet("overdue")))
		findings.push({ kind: "overdue", sinceAt: dueAt });
	// Clocks differ between processes: without the tolerance, one would report `overdue` and the next `recovered`, in
	// turn.
	const tolerance = Math.min(CLOCK_SKEW_MS, ageMs / 2);
	const isLate = dueAt !== null && nowMs - dueAt > ageMs - tolerance;
	if (failingSince !== null || isLate) return findings;
	const succeededSince = (kind: AlertKind) =>
		!isOpen(kind) || (lastSuccessAt ?? 0) > (last[kind]?.sinceAt ?? 0);
	const wasReported = (["paused", "failing", "overdue"] as const).some(isOpen);
	if (
		wasReported &&
		succeededSince("paused") &&
		succeededSince("failing") &&
		isQuiet("recovered")
	)
		findings.push({ kind: "recovered", sinceAt: lastSuccessAt ?? nowMs });
	return findings;
}
