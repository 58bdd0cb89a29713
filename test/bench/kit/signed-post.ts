// The request of the hand-written programs and of the job queues: signed like ours, with what the simplest code needs.
import { createHash, createHmac, randomUUID } from "node:crypto";
import { Pool } from "undici";
import { CONNECTIONS, encodeBody } from "./delivery-load.ts";

/** A webhook to send. */
export interface Webhook {
	readonly uuid: string;
	readonly sequence: number;
}

/** An answer, as a program stores it that keeps attempts. */
export interface Answer {
	readonly status: number;
	readonly startedAt: number;
	readonly durationMs: number;
	readonly headers: string;
	readonly body: string;
}

export type SignedPost = (
	webhook: Webhook,
	entityJson: string,
) => Promise<Answer>;

const toBase64Url = (text: string) => Buffer.from(text).toString("base64url");
const HEADER = toBase64Url('{"alg":"HS256","typ":"JWT"}');
const secret = randomUUID();

function sign({ uuid, sequence }: Webhook, body: string): string {
	const iat = Math.floor(Date.now() / 1000);
	const claims = {
		company_uuid: secret,
		user_uuid: secret,
		event_id: "lead_updated",
		iat,
		exp: iat + 3600,
		jti: uuid,
		payload_sha256: createHash("sha256").update(body).digest("base64url"),
		sequence,
	};
	const signed = `${HEADER}.${toBase64Url(JSON.stringify(claims))}`;
	return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

/** Posts signed webhooks to a receiver, as many at a time as every contender. Throws unless the answer is 200. */
export function createSignedPost(origin: string): SignedPost {
	const pool = new Pool(origin, { connections: CONNECTIONS });
	return async (webhook, entityJson) => {
		const body = encodeBody(entityJson);
		const startedAt = Date.now();
		const response = await pool.request({
			path: "/hook",
			method: "POST",
			headers: {
				"content-type": "application/json",
				authorization: `Bearer ${sign(webhook, body)}`,
			},
			body,
		});
		const text = await response.body.text();
		if (response.statusCode !== 200)
			throw new Error(`the receiver answered ${response.statusCode}`);
		return {
			status: response.statusCode,
			startedAt,
			durationMs: Date.now() - startedAt,
			headers: JSON.stringify(response.headers),
			body: text.slice(0, 4096),
		};
	};
}
