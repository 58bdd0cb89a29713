import {
	ApiError,
	invalidMembers,
	RELEASE_PER_SECOND,
} from "@partnerwire/contract";
import { lockIntegration } from "../delivery/sql/lock-integrations.ts";
import type { Handlers } from "../execute/handlers.ts";
import { requireSameKey } from "../secrets/check-key.ts";
import {
	currentSecret,
	secretPurpose,
} from "../secrets/integration-secrets.ts";
import { fromIso, toIso } from "../values/times.ts";
import { readIntegration, toIntegration } from "./integration-view.ts";
import { changeIntegration } from "./integrations.ts";

/** The handlers that pause and resume an integration, and rotate its secret. */
export const integrationSwitchHandlers = {
	/** `held` is derived from the integration, so pausing a million deliveries writes one row. */
	pauseIntegration: async ({ params, body }, context) => {
		await lockIntegration(context.db, params.integration_id);
		const found = await readIntegration(params.integration_id, context);
		const pausedAt = found.row.pausedAt ?? context.nowMs;
		const pauseReason = body.reason ?? found.row.pauseReason ?? "manual";
		return changeIntegration(
			found,
			{ status: "paused", pausedAt, pauseReason },
			context,
			"paused",
		);
	},

	resumeIntegration: async ({ params, body }, context) => {
		await lockIntegration(context.db, params.integration_id);
		const found = await readIntegration(params.integration_id, context);
		const { row } = found;
		if (row.status === "active") return changeIntegration(found, {}, context);
		const rate = body.rate_per_second ?? RELEASE_PER_SECOND;
		const release =
			row.sequence > row.settled
				? {
						releaseUntil: row.sequence,
						releaseRate: rate,
						bucketTokens: rate,
						bucketAt: context.nowMs,
					}
				: {};
		const columns = {
			status: "active",
			pausedAt: null,
			pauseReason: null,
			failingSince: null,
			...release,
		} as const;
		return changeIntegration(found, columns, context, "resumed");
	},

	/** Until the cutover, the old secret signs, so that receivers can accept both (docs/decisions.md#rotation). */
	rotateIntegrationSecret: async ({ params, body }, context) => {
		await requireSameKey(context.db, context.cipher);
		await lockIntegration(context.db, params.integration_id);
		const found = await readIntegration(params.integration_id, context);
		const cutoverAt = fromIso(body.cutover_at) ?? context.nowMs;
		requireFuture(cutoverAt, context.nowMs);
		const planned = toIntegration(found).secret_cutover_at;
		if (planned !== null && !body.replace)
			throw new ApiError(
				"conflict",
				`a rotation is planned for ${planned}, and receivers may have its secret: cancel it, or send replace: true to give it up`,
			);
		const secret = context.db.random.newSecretUuid();
		const sealed = context.cipher.encrypt(
			secret,
			secretPurpose(found.row.uuid, "secret"),
		);
		const columns =
			cutoverAt <= context.nowMs
				? { secret: sealed, nextSecret: null, cutoverAt: null }
				: {
						secret: currentSecret(found.row, context.nowMs),
						nextSecret: sealed,
						cutoverAt,
					};
		const { result, changes } = await changeIntegration(
			found,
			columns,
			context,
			"rotated",
		);
		return { result: { ...result, integration_uuid: secret }, changes };
	},

	/** After the cutover there is nothing to cancel: the next secret already signs. */
	cancelIntegrationRotation: async ({ params }, context) => {
		await lockIntegration(context.db, params.integration_id);
		const found = await readIntegration(params.integration_id, context);
		const isPlanned = toIntegration(found).secret_cutover_at !== null;
		const columns = isPlanned ? { nextSecret: null, cutoverAt: null } : {};
		return changeIntegration(found, columns, context, "rotation_cancelled");
	},
} satisfies Partial<Handlers>;

/** Refuses a past time. Treated as "at once", it would break receivers that expect the old secret. */
function requireFuture(cutoverAt: number, nowMs: number): void {
	if (cutoverAt >= nowMs) return;
	throw invalidMembers([
		{
			field: "body/cutover_at",
			message: `${toIso(cutoverAt)} is past: give a later time, or leave it out to rotate at once`,
		},
	]);
}
