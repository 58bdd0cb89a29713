import {
	createHash,
	createHmac,
	createSecretKey,
	randomUUID,
	timingSafeEqual,
} from "node:crypto";
import {
	createReceiver,
	type VerifyOptions,
	verify,
} from "@partnerwire/receiver";
import { createVerifier as createFastJwt } from "fast-jwt";
import { jwtVerify } from "jose";
import jsonwebtoken from "jsonwebtoken";
import { Webhook } from "standardwebhooks";

/** One line of the bench's table. */
export interface Row {
	name: string;
	value: string;
}

/** The number of rounds and their length. */
export interface BenchOptions {
	quick?: boolean;
}

const SECRET = randomUUID();

/**
 * Contenders take turns, so that a slow moment of the machine slows all of them. The lower quartile of many short rounds counts, because
 * other programs on the machine can only make a time longer.
 */
async function race(
	contenders: Readonly<Record<string, () => Promise<number>>>,
	rounds: number,
): Promise<Record<string, number>> {
	const times: Record<string, number[]> = {};
	const names = Object.keys(contenders);
	for (let round = 0; round < rounds; round++) {
		// Each round begins with another one: the first after a pause pays for the garbage of the others.
		const first = round % names.length;
		for (const name of [...names.slice(first), ...names.slice(0, first)]) {
			const ns = await (contenders[name] as () => Promise<number>)();
			times[name] = [...(times[name] ?? []), ns];
		}
	}
	return Object.fromEntries(
		Object.entries(times).map(([name, list]) => [
			name,
			list.sort((a, b) => a - b)[list.length >> 2] as number,
		]),
	);
}

function repeat(count: number, body: () => unknown): () => Promise<number> {
	return async () => {
		const start = process.hrtime.bigint();
		for (let index = 0; index < count; index++) await body();
		return Number(process.hrtime.bigint() - start) / count;
	};
}

const micro = (ns: number): string => `${(ns / 1000).toFixed(2)} µs`;
const segment = (text: string): string =>
	Buffer.from(text).toString("base64url");

function createToken(payload: string) {
	const iat = Math.floor(Date.now() / 1000);
	const claims = {
		company_uuid: randomUUID(),
		user_uuid: randomUUID(),
		event_id: "lead_created",
		iat,
		exp: iat + 3600,
		jti: randomUUID(),
		payload_sha256: createHash("sha256").update(payload).digest("base64url"),
		sequence: 4711,
	};
	const input = `${segment('{"alg":"HS256","typ":"JWT"}')}.${segment(JSON.stringify(claims))}`;
	const signature = createHmac("sha256", SECRET).update(input).digest();
	return {
		input,
		signature,
		claimsText: JSON.stringify(claims),
		token: `${input}.${signature.toString("base64url")}`,
	};
}

/**
 * Compares `verify()` of a typical token with the least possible work (node:crypto HMAC of the same bytes, timingSafeEqual and
 * JSON.parse of the claims), and with other verifiers.
 */
export async function benchVerify({
	quick = false,
}: BenchOptions = {}): Promise<{
	verify_ratio: number;
	rows: Row[];
}> {
	const count = quick ? 1_000 : 5_000;
	const rounds = quick ? 15 : 51;
	const { token, input, signature, claimsText } = createToken("{}");
	const key = createSecretKey(Buffer.from(SECRET));
	const options: VerifyOptions = { secret: SECRET };
	const cryptoKey = await crypto.subtle.importKey(
		"raw",
		Buffer.from(SECRET),
		{ name: "HMAC", hash: "SHA-256" },
		false,
		["verify"],
	);
	const fastJwt = createFastJwt({
		key: SECRET,
		algorithms: ["HS256"],
		cache: false,
	});
	const standard = new Webhook(Buffer.from(SECRET).toString("base64"));
	const now = new Date();
	const standardHeaders = {
		"webhook-id": "msg_1",
		"webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
		"webhook-signature": standard.sign("msg_1", now, claimsText),
	};

	const contenders = {
		limit: repeat(count, () => {
			const digest = createHmac("sha256", key).update(input).digest();
			return timingSafeEqual(digest, signature) && JSON.parse(claimsText);
		}),
		verify: repeat(count, () => verify(token, options)),
		jose: repeat(count, () =>
			jwtVerify(token, cryptoKey, { algorithms: ["HS256"] }),
		),
		"fast-jwt, no cache": repeat(count, () => fastJwt(token)),
		jsonwebtoken: repeat(count, () =>
			jsonwebtoken.verify(token, SECRET, { algorithms: ["HS256"] }),
		),
		standardwebhooks: repeat(count, () =>
			standard.verify(claimsText, standardHeaders),
		),
	};
	const slow = new Set(["jose", "jsonwebtoken", "standardwebhooks"]);
	await race(contenders, 3);
	const fast = await race(
		Object.fromEntries(
			Object.entries(contenders).filter(([name]) => !slow.has(name)),
		),
		rounds,
	);
	const others = await race(contenders, quick ? 3 : 9);
	const times = { ...others, ...fast };
	const ratio = (times.verify ?? 0) / (times.limit ?? 1);
	return {
		verify_ratio: ratio,
		rows: [
			{
				name: "HMAC + timingSafeEqual + JSON.parse",
				value: micro(times.limit ?? 0),
			},
			{
				name: "verify()",
				value: `${micro(times.verify ?? 0)} (${ratio.toFixed(2)} ×)`,
			},
			...Object.keys(contenders)
				.slice(2)
				.map((name) => ({ name, value: micro(times[name] ?? 0) })),
		],
	};
}

const EVENT_BYTES = 1024;

function createEvent(index: number): string {
	const lead = {
		uuid: randomUUID(),
		company_name: `Company ${index}`,
		email: `someone.${index}@example.com`,
		first_name: "Some",
		last_name: "One",
		phone_number: "+4915112345678",
		website: "https://example.com/",
		status: "new",
		stage: { uuid: randomUUID(), label: "Discovery" },
		partnership: {
			uuid: randomUUID(),
			company_name: "Partner Ltd",
			partner_type: "reseller",
		},
		tags: [],
		assigned_users: [],
		custom_fields: [] as { uuid: string; value: { text: string } }[],
		created_at: "2026-11-27T22:25:01.000Z",
		updated_at: "2026-11-27T22:25:01.000Z",
	};
	const body = { lead, configuration: [] };
	const missing = EVENT_BYTES - JSON.stringify(body).length - 76;
	lead.custom_fields.push({
		uuid: randomUUID(),
		value: { text: "x".repeat(Math.max(1, missing)) },
	});
	return JSON.stringify(body);
}

/** Builds the requests before the clock starts. Both contenders get the same ones. */
function createRequests(count: number, seed: number): Request[] {
	return Array.from({ length: count }, (_, index) => {
		const body = createEvent(seed * count + index);
		return new Request("http://127.0.0.1/hook", {
			method: "POST",
			headers: {
				authorization: `Bearer ${createToken(body).token}`,
				"content-type": "application/json",
				"content-length": String(Buffer.byteLength(body)),
			},
			body,
		});
	});
}

/**
 * Compares the whole `.fetch` of distinct 1 KB events with memory dedup to reading the same Request and making the same Response
 * without our work.
 */
export async function benchFetch({
	quick = false,
}: BenchOptions = {}): Promise<{
	fetch_ratio: number;
	rows: Row[];
}> {
	const count = quick ? 500 : 1_000;
	const rounds = quick ? 15 : 41;
	let handled = 0;
	const receiver = createReceiver({ secret: SECRET }).on(
		"lead_created",
		async () => {
			handled++;
		},
	);
	const headers = { "content-type": "application/json" };
	const bare =
		(read: (request: Request) => Promise<unknown>) =>
		async (request: Request): Promise<Response> => {
			await read(request);
			return new Response('{"ok":true,"handled":true}', {
				status: 200,
				headers,
			});
		};
	let seed = 0;
	const over =
		(answer: (request: Request) => Promise<Response>) => async () => {
			const requests = createRequests(count, ++seed);
			const start = process.hrtime.bigint();
			for (const request of requests) await answer(request);
			return Number(process.hrtime.bigint() - start) / count;
		};
	const contenders = {
		text: over(bare((request) => request.text())),
		json: over(bare((request) => request.json())),
		fetch: over(receiver.fetch),
	};
	await race(contenders, 3);
	const expected = handled;
	const times = await race(contenders, rounds);
	if (handled - expected !== rounds * count)
		throw new Error("the receiver did not handle every event once");
	const { text = 1, json = 1, fetch = 0 } = times;
	return {
		fetch_ratio: fetch / text,
		rows: [
			{ name: "Request read as text + Response", value: micro(text) },
			{ name: "Request read as JSON + Response", value: micro(json) },
			{
				name: "receiver.fetch, memory dedup",
				value: `${micro(fetch)} (${(fetch / text).toFixed(2)} ×)`,
			},
		],
	};
}

if (process.argv[1] === import.meta.filename) {
	const quick = process.argv.includes("--quick");
	for (const { rows, ...ratio } of [
		await benchVerify({ quick }),
		await benchFetch({ quick }),
	]) {
		for (const { name, value } of rows)
			console.log(`${name.padEnd(40)} ${value}`);
		console.log(JSON.stringify(ratio));
	}
}
