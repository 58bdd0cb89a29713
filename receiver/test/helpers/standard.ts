/* Requests that the package of Standard Webhooks signs, and a receiver that takes them. */
import type { ReceiverOptions } from "@partnerwire/receiver";
import {
	type StandardContext,
	standardWebhooks,
} from "@partnerwire/receiver/standard";
import { Webhook } from "standardwebhooks";
import { BODY, NOW_MS, NOW_S, SECRET } from "#kit/endpoints/tokens.ts";
import { fromRequest } from "../../src/common/incoming.ts";
import { resolveOptions } from "../../src/options.ts";
import { createPipeline } from "../../src/pipeline.ts";
import { hmac as nodePort } from "../../src/verify/crypto-node.ts";
import type { PlatformCrypto } from "../../src/verify/platform-crypto.ts";

export const ID = "0197a4a0-0000-7000-8000-0000000000d1";
export const toStandard = (secret: string | Uint8Array) =>
	`whsec_${Buffer.from(secret as string).toString("base64")}`;

interface Signed {
	id?: string;
	timestampS?: number;
	body?: string;
	secret?: string;
}

/** The headers, signed by the package of Standard Webhooks. */
export function sign({
	id = ID,
	timestampS = NOW_S,
	body = BODY,
	secret = toStandard(SECRET),
}: Signed = {}) {
	const at = new Date(timestampS * 1000);
	return {
		"webhook-id": id,
		"webhook-timestamp": String(timestampS),
		"webhook-signature": new Webhook(secret).sign(id, at, body),
	};
}

export const toRequest = (
	headers: Record<string, string>,
	body: BodyInit = BODY,
): Request => new Request("http://x/hook", { method: "POST", headers, body });

/** A receiver on one of the two platforms, and what its handlers saw. */
export function open(
	options: Partial<ReceiverOptions> = {},
	platform: PlatformCrypto = nodePort as PlatformCrypto,
	work: (context: StandardContext) => unknown = () => {},
) {
	const runs: StandardContext[] = [];
	const log: string[] = [];
	const byToken: unknown[] = [];
	const o = resolveOptions({
		secret: SECRET,
		clock: () => NOW_MS,
		log: (line) => log.push(line),
		standard: standardWebhooks((context) => {
			runs.push(context);
			return work(context);
		}),
		...options,
	});
	const handlers = new Map([
		["deal_updated", [(context: unknown) => byToken.push(context)]],
	]);
	const handle = createPipeline(o, handlers, platform);
	const send = async (headers: Record<string, string>, body?: BodyInit) => {
		const verdict = await handle(fromRequest(toRequest(headers, body)));
		return [verdict.status, verdict.reason ?? verdict.outcome];
	};
	return { runs, log, byToken, handle, send };
}

export const INVALID = [401, "SIGNATURE_INVALID"];
export const HANDLED = [200, "handled"];
