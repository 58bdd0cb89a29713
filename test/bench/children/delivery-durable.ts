import { createHash, createHmac, randomUUID } from "node:crypto";
import { Pool } from "undici";
import { serveCalls } from "../kit/child.ts";
import {
	CONNECTIONS,
	type DeliveryCalls,
	ENTITY,
	encodeBody,
} from "../kit/delivery-load.ts";
import {
	type Claimed,
	openOutbox,
	type Result,
} from "./delivery-durable-outbox.ts";

/** The number of results written together, unless few requests are in flight. */
const SETTLED_TOGETHER = 128;
const CLAIMED_TOGETHER = 256;
const EMITTED_TOGETHER = 128;

/** Baseline 2: the best straightforward durable loop, with the same rows in batches and the same signed requests. */
const secret = randomUUID();
const entity = JSON.stringify(ENTITY);
let outbox: ReturnType<typeof openOutbox>;
let pool: Pool;

const toBase64Url = (text: string) => Buffer.from(text).toString("base64url");
const HEADER = toBase64Url('{"alg":"HS256","typ":"JWT"}');

function sign({ uuid, sequence }: Claimed, body: string): string {
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

async function attempt(delivery: Claimed): Promise<Result> {
	const body = encodeBody(outbox.entityOf(delivery));
	const startedAt = Date.now();
	const response = await pool.request({
		path: "/hook",
		method: "POST",
		headers: {
			"content-type": "application/json",
			authorization: `Bearer ${sign(delivery, body)}`,
		},
		body,
	});
	const text = await response.body.text();
	return {
		id: delivery.id,
		status: response.statusCode,
		startedAt,
		durationMs: Date.now() - startedAt,
		headers: JSON.stringify(response.headers),
		body: text.slice(0, 4096),
	};
}

/** Emits, claims, posts and records until `end`, then delivers the rest. Returns the number of deliveries. */
const deliverUntil = (end: number): Promise<number> =>
	new Promise((resolve) => {
		let delivered = 0;
		let flying = 0;
		let results: Result[] = [];
		const claimed: Claimed[] = [];

		const onResult = (result: Result) => {
			results.push(result);
			flying--;
			pump();
		};

		const pump = () => {
			if (
				results.length >= SETTLED_TOGETHER ||
				(results.length > 0 && flying < CONNECTIONS / 2)
			) {
				const batch = results;
				results = [];
				outbox.settle(batch);
				delivered += batch.length;
			}
			if (claimed.length < CONNECTIONS) {
				if (performance.now() < end) outbox.emit(entity, EMITTED_TOGETHER);
				claimed.push(...outbox.claim(CLAIMED_TOGETHER));
			}
			while (flying < CONNECTIONS) {
				const delivery = claimed.pop();
				if (!delivery) break;
				flying++;
				void attempt(delivery).then(onResult);
			}
			if (flying === 0 && results.length === 0) resolve(delivered);
		};
		pump();
	});

const calls: DeliveryCalls = {
	async open({ folder, origin }) {
		outbox = openOutbox(folder);
		pool = new Pool(origin, { connections: CONNECTIONS });
	},
	async run(seconds) {
		const startedAt = performance.now();
		const delivered = await deliverUntil(startedAt + seconds * 1000);
		return { delivered, seconds: (performance.now() - startedAt) / 1000 };
	},
};

serveCalls(calls);
