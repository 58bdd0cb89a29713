import { NIL_UUID } from "@partnerwire/contract";
import {
	type Alert,
	type DueAlert,
	planAlert,
	raiseAlerts,
	type Store,
	takeDueAlerts,
} from "@partnerwire/core";
import {
	type AttemptResult,
	createWire,
	hashBody,
	signToken,
} from "@partnerwire/dispatcher";
import { TOKEN_LIFETIME_S } from "@partnerwire/wire";
import type { MaintenanceJob } from "./maintenance.ts";

export interface AlertOptions {
	/** The URL that alerts are sent to, and the secret that signs them. Without it only `onAlert` gets them. */
	readonly endpoint?: { readonly url: string; readonly secret: string };
	/** A delivery is overdue if it has been due for longer than this. */
	readonly ageMs: number;
	/** The same alert of the same integration is sent at most this often. */
	readonly everyMs: number;
	readonly onAlert: (alert: Alert) => void;
	readonly onSent: (
		alert: DueAlert,
		outcome: AlertOutcome,
		failure: string | null,
	) => void;
}

type AlertOutcome = "sent" | "retried" | "given_up";

const LOOK_MS = 2000;
/** The wait before each further attempt. After the last one the alert is given up. */
const RETRY_MS = [30_000, 300_000, 1_800_000];

/** Watches the integrations and alerts the operator (docs/decisions.md#alerts). It never delays a delivery. */
export function createAlerts(
	store: Store,
	clock: () => number,
	{ endpoint, ...options }: AlertOptions,
) {
	// The URL is the operator's, not a tenant's: it may be on a private network.
	const wire = createWire({ allowHttp: true, allowPrivate: true, clock });

	async function raise(): Promise<void> {
		const raised = await raiseAlerts(store, {
			nowMs: clock(),
			ageMs: options.ageMs,
			everyMs: options.everyMs,
			sends: endpoint !== undefined,
		});
		for (const alert of raised) options.onAlert(alert);
	}

	async function sendDue({ url, secret }: Endpoint): Promise<void> {
		const leaseMs = wire.maxAttemptMs + 30_000;
		const due = await takeDueAlerts(store, { nowMs: clock(), leaseMs });
		const send = async (alert: DueAlert) => {
			const body = new TextEncoder().encode(alert.body);
			const token = await sign(alert, body, secret, clock());
			await recordSent(alert, await wire.attempt({ url, token, body }));
		};
		await Promise.all(due.map(send));
	}

	async function recordSent(
		alert: DueAlert,
		{ delivered, failure }: AttemptResult,
	): Promise<void> {
		const delayMs = delivered ? undefined : RETRY_MS[alert.attempts];
		const dueAt = delayMs === undefined ? null : clock() + delayMs;
		// Another process has taken the alert over, and reports its own attempt.
		if (!(await planAlert(store, alert, dueAt))) return;
		const failed = dueAt === null ? "given_up" : "retried";
		const message = failure?.message ?? null;
		options.onSent(alert, delivered ? "sent" : failed, message);
	}

	const chores: MaintenanceJob[] = [{ everyMs: LOOK_MS, run: raise }];
	if (endpoint) chores.push({ everyMs: LOOK_MS, run: () => sendDue(endpoint) });
	return { chores, close: wire.close };
}

type Endpoint = NonNullable<AlertOptions["endpoint"]>;

/** An alert's token is a webhook's: its `jti` is the alert's uuid, on every attempt. */
async function sign(
	{ companyUuid, kind, uuid }: DueAlert,
	body: Uint8Array<ArrayBuffer>,
	secret: string,
	nowMs: number,
): Promise<string> {
	const iat = Math.floor(nowMs / 1000);
	const claims = {
		company_uuid: companyUuid,
		user_uuid: NIL_UUID,
		event_id: `alert_${kind}`,
		iat,
		exp: iat + TOKEN_LIFETIME_S,
		jti: uuid,
		payload_sha256: hashBody(body),
	};
	return signToken(claims, secret);
}
