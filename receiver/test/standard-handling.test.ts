// What becomes of a request without a token: copies, failures, limits (docs/standard-webhooks.md).
import { gzipSync } from "node:zlib";
import { createReceiver, PermanentFailure } from "@partnerwire/receiver";
import { sqliteInbox } from "@partnerwire/receiver/sqlite";
import { standardWebhooks } from "@partnerwire/receiver/standard";
import { expect, test } from "vitest";
import {
	BAD,
	BODY,
	GOOD,
	NOW_MS,
	NOW_S,
	OTHER_SECRET,
	SECRET,
} from "#kit/endpoints/tokens.ts";
import { createTempFolder } from "#kit/temp-folder.ts";
import { type BodySource, fromRequest } from "../src/common/incoming.ts";
import {
	HANDLED,
	ID,
	INVALID,
	open,
	sign,
	toRequest,
	toStandard,
} from "./helpers/standard.ts";

test("with a token beside the headers, the token decides", async () => {
	const { send, runs, byToken } = open();
	const forged = sign({ secret: toStandard(OTHER_SECRET) });
	expect(await send({ authorization: `Bearer ${BAD}`, ...sign() })).toEqual(
		INVALID,
	);
	expect(await send({ authorization: "Basic eDp5", ...sign() })).toEqual([
		401,
		"AUTHORIZATION_SCHEME",
	]);
	expect(await send({ authorization: `Bearer ${GOOD}`, ...forged })).toEqual(
		HANDLED,
	);
	expect([runs.length, byToken.length]).toEqual([0, 1]);
});

test("without the option they are no credentials, and the log names it", async () => {
	const lines: string[] = [];
	const receiver = createReceiver({
		secret: SECRET,
		clock: () => NOW_MS,
		log: (line) => lines.push(line),
	});
	expect((await receiver.fetch(toRequest(sign()))).status).toBe(401);
	expect(lines.join()).toMatch(/TOKEN_MISSING.*`standard`/);
});

test("a copy is a duplicate by its webhook-id; another id runs", async () => {
	const { send, runs } = open();
	expect(await send(sign())).toEqual(HANDLED);
	expect(await send(sign({ timestampS: NOW_S + 5 }))).toEqual([
		200,
		"duplicate",
	]);
	expect(await send(sign({ id: "another" }))).toEqual(HANDLED);
	const body = BODY.replace('d1"}', 'd2"}');
	expect(await send(sign({ body }), body)).toEqual(HANDLED);
	expect(runs.map(({ conflict }) => conflict)).toEqual([false, false, true]);
});

test("a handler that throws is called again by the retry; the log names the delivery", async () => {
	let fails = true;
	const { send, runs, log } = open({ onError: () => {} }, undefined, () => {
		if (fails) throw new Error("not now");
	});
	expect(await send(sign())).toEqual([500, "HANDLER_FAILED"]);
	expect(log.join()).toContain(
		`An event (record 0197a4a0-0000-7000-8000-00000000d001, delivery ${ID}): HANDLER_FAILED`,
	);
	fails = false;
	expect(await send(sign())).toEqual(HANDLED);
	expect(runs).toHaveLength(2);
});

test("a permanent failure and what was seen carry the id", async () => {
	const seen: unknown[] = [];
	const { send } = open(
		{
			onDeadLetter: (_failure, { claims }) => seen.push(claims.jti),
			onVerdict: ({ jti, outcome }) => seen.push([jti, outcome]),
		},
		undefined,
		() => {
			throw new PermanentFailure("never");
		},
	);
	expect(await send(sign())).toEqual([200, "dead_letter"]);
	expect(seen).toEqual([ID, [ID, "dead_letter"]]);
});

test("a lookup gets no claims; one that fails, or knows nobody, is as with a token", async () => {
	const asked: unknown[] = [];
	const errors: unknown[] = [];
	const withLookup = (found: () => string | undefined) =>
		open({
			secret: (unverified) => {
				asked.push(unverified);
				return found();
			},
			onError: (error) => errors.push(error),
		}).send(sign());
	expect(await withLookup(() => SECRET)).toEqual(HANDLED);
	expect(await withLookup(() => toStandard(SECRET))).toEqual(HANDLED);
	expect(await withLookup(() => undefined)).toEqual(INVALID);
	const fault = new Error("down");
	expect(
		await withLookup(() => {
			throw fault;
		}),
	).toEqual([500, "SECRET_LOOKUP_FAILED"]);
	expect(asked).toEqual([{}, {}, {}, {}]);
	expect(errors).toEqual([fault]);
});

test("the body is parsed only after its signature: a forged one of any shape is 401", async () => {
	const { send } = open();
	for (const body of [
		"{",
		"[]",
		"",
		'{"a":'.repeat(10_000),
		'{"deal":1,"deal":2}',
	])
		expect(await send(sign(), body)).toEqual(INVALID);
	for (const [body, reason] of [
		["{", "INVALID_JSON"],
		["[]", "INVALID_SHAPE"],
		['{"configuration":[]}', "INVALID_SHAPE"],
		['{"lead":{"uuid":"x"},"deal":{"uuid":"x"}}', "INVALID_SHAPE"],
		['{"lead":[]}', "INVALID_SHAPE"],
		['{"lead":{"uuid":"x"},"configuration":1}', "INVALID_SHAPE"],
	] as const)
		expect([body, ...(await send(sign({ body }), body))]).toEqual([
			body,
			400,
			reason,
		]);
	expect(await send(sign(), new Uint8Array([0xff]))).toEqual([
		400,
		"INVALID_UTF8",
	]);
});

test("a record of a kind that a later version sends is acknowledged unhandled, and other members are let through", async () => {
	const { send, runs } = open();
	for (const body of ['{"claims":{"uuid":"x"}}', '{"__proto__":{"uuid":"x"}}'])
		expect(await send(sign({ body }), body)).toEqual([200, "unhandled"]);
	expect(runs).toEqual([]);
	const body = '{"lead":{"uuid":"x"},"later":{"uuid":"y"}}';
	expect(await send(sign({ body }), body)).toEqual(HANDLED);
});

test("limits and strictness are those of any body; a compressed one is verified as it was before", async () => {
	const small = open({ maxBodyBytes: 20 });
	expect(await small.send(sign())).toEqual([413, "BODY_TOO_LARGE"]);
	const zipped = new Uint8Array(gzipSync(BODY));
	const { send } = open({ schema: "strict" });
	expect(await send({ ...sign(), "content-encoding": "gzip" }, zipped)).toEqual(
		HANDLED,
	);
	const body = '{"lead":{}}';
	expect(await send(sign({ body }), body)).toEqual([400, "INVALID_SHAPE"]);
	const typed = { ...sign(), "content-type": "text/plain; charset=latin1" };
	expect(await send(typed)).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
});

test("behind a body parser it is verified if the object's text is what was signed", async () => {
	const { handle, runs } = open({ allowParsedBody: true });
	const take = async (value: unknown, body: string) => {
		const source: BodySource = { kind: "parsed", value };
		const incoming = fromRequest(
			toRequest(sign({ body, id: body.slice(0, 3).replace(/[^!-~]/g, "_") })),
			() => source,
		);
		return (await handle(incoming)).reason;
	};
	expect(await take(JSON.parse(BODY), BODY)).toBeUndefined();
	expect(await take(JSON.parse(BODY), ` ${BODY}`)).toBe("BODY_BYTES_LOST");
	expect(runs).toHaveLength(1);
});

test("an inbox is refused: it keeps events by their names", () => {
	const inbox = sqliteInbox(`${createTempFolder()}/inbox.db`);
	expect(() =>
		createReceiver({
			secret: SECRET,
			inbox,
			standard: standardWebhooks(() => {}),
		}),
	).toThrow(/standard does not work with an inbox/);
});

test.each([
	"whsec_",
	"whsec_short",
	`whsec_${"%".repeat(40)}`,
	`whsec_${"a".repeat(100)}`,
	`whsec_${"a".repeat(45)}`,
])("the secret %s is refused when the receiver is created", (secret) => {
	expect(() => createReceiver({ secret })).toThrow(/placeholder or malformed/);
});
