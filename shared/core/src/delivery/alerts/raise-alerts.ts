import { inArray, sql } from "drizzle-orm";
import type { Db, Store } from "../../db/db.ts";
import { insertRow } from "../../db/insert-row.ts";
import { defineQuery } from "../../db/prepared.ts";
import type { AlertKind } from "../../db/tables/upkeep.ts";
import { toIso } from "../../values/times.ts";
import { type Pulse, selectPulses } from "../read-gauges.ts";
import { lockName } from "../sql/lock-integrations.ts";
import {
	type AlertLimits,
	type Finding,
	findAlerts,
	type LastAlerts,
} from "./alert-rules.ts";

/** An alert as operators receive it. It holds no secret and no URL. */
export interface Alert {
	readonly uuid: string;
	readonly kind: AlertKind;
	readonly message: string;
	readonly integration: { readonly id: string; readonly label: string };
	readonly status: "active" | "paused";
	readonly pause_reason: string | null;
	readonly last_error: string | null;
	/** Unfinished deliveries. */
	readonly waiting: number;
	readonly since: string;
	readonly created_at: string;
}

export interface RaiseOptions extends AlertLimits {
	readonly nowMs: number;
	/** Whether there is somewhere to send them. */
	readonly sends: boolean;
}

/** The newest alert of each kind and integration, by row id: clocks of processes differ. */
const selectLast = defineQuery("last_alerts", ({ query, tables: { alert } }) =>
	query
		.select({
			integrationId: alert.integrationId,
			kind: alert.kind,
			id: alert.id,
			createdAt: alert.createdAt,
			sinceAt: alert.sinceAt,
		})
		.from(alert)
		.where(
			inArray(
				alert.id,
				query
					.select({ id: sql<number>`max(${alert.id})` })
					.from(alert)
					.groupBy(alert.integrationId, alert.kind),
			),
		),
);

async function readLast(db: Db): Promise<Map<number, LastAlerts>> {
	const last = new Map<number, LastAlerts>();
	for (const { integrationId, kind, ...newest } of await selectLast(db))
		last.set(integrationId, { ...last.get(integrationId), [kind]: newest });
	return last;
}

async function findAll(db: Db, { nowMs, ...limits }: RaiseOptions) {
	const last = await readLast(db);
	const pulses = await selectPulses(db, { sinceMs: nowMs });
	return pulses
		.filter(({ deletedAt }) => deletedAt === null)
		.flatMap((pulse) =>
			findAlerts(pulse, last.get(pulse.id) ?? {}, limits, nowMs).map(
				(finding) => ({ pulse, finding }),
			),
		);
}

/** Stores the alerts that are new now and returns them. Of several processes only one returns the same alert. */
export async function raiseAlerts(
	store: Store,
	options: RaiseOptions,
): Promise<Alert[]> {
	if ((await findAll(store.read, options)).length === 0) return [];
	const { nowMs, sends } = options;
	return store.write(async (db) => {
		await lockName(db, "alerts");
		const alerts: Alert[] = [];
		// Looked up again under the lock: another process may have raised it since.
		for (const { pulse, finding } of await findAll(db, options)) {
			const uuid = db.random.newUuid(nowMs);
			const alert = { uuid, ...toAlert(pulse, finding, nowMs) };
			await insertRow(db, "alert", {
				uuid: alert.uuid,
				integrationId: pulse.id,
				kind: finding.kind,
				sinceAt: finding.sinceAt,
				body: JSON.stringify({ alert }),
				attempts: 0,
				dueAt: sends ? nowMs : null,
				createdAt: nowMs,
			});
			alerts.push(alert);
		}
		return alerts;
	});
}

function toAlert(
	pulse: Pulse,
	finding: Finding,
	nowMs: number,
): Omit<Alert, "uuid"> {
	return {
		kind: finding.kind,
		message: toMessage(pulse, finding),
		integration: { id: pulse.uuid, label: pulse.label },
		status: pulse.status,
		pause_reason: pulse.pauseReason,
		last_error: finding.kind === "recovered" ? null : pulse.lastError,
		waiting: pulse.sequence - pulse.settled,
		since: toIso(finding.sinceAt),
		created_at: toIso(nowMs),
	};
}

function toMessage(pulse: Pulse, { kind, sinceAt }: Finding): string {
	const name = `The integration ${pulse.label}`;
	switch (kind) {
		case "paused":
			return pulse.pauseReason === "gone"
				? `${name} was paused because its endpoint answered 410: its deliveries are held until it is resumed.`
				: `${name} was paused because it has only failed for five days: its deliveries are held until it is resumed.`;
		case "failing":
			return `${name} has begun to fail: ${pulse.lastError ?? "no reason was recorded"}.`;
		case "overdue":
			return `${name} has a delivery that has been due since ${toIso(sinceAt)}.`;
		case "recovered":
			return `${name} delivers again.`;
	}
}
