/** The Koa adapter behind body parsers, and between other middleware. */
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

import { toKoa } from "@partnerwire/receiver/koa";
import Koa, { type Middleware } from "koa";
import bodyParser from "koa-bodyparser";
import { afterEach, describe, expect, test } from "vitest";
import { listen } from "#kit/endpoints/adapters.ts";
import { BODY, sha256, tok } from "#kit/endpoints/tokens.ts";
import { DUPLICATE, expectOk, expectRefusal } from "../cases/case.ts";
import { openWorld, type World } from "../helpers/world.ts";

let world: World | undefined;
afterEach(() => world?.close());

const openBehind = (middleware: Middleware) =>
	openWorld({
		open: (receiver) => {
			const app = new Koa().use(middleware).use(toKoa(receiver));
			return listen(createServer(app.callback()));
		},
	});

/** Keeps the object alone. */
const keepObject: Middleware = async ({ req, request }, next) => {
	Object.assign(request, { body: await json(req) });
	await next();
};

/** Reads the stream to its end and keeps nothing. */
const drain: Middleware = async ({ req }, next) => {
	for await (const _ of req);
	await next();
};

describe("A01 behind a body parser", () => {
	test.each([
		["koa-bodyparser", bodyParser(), "raw", "PAYLOAD_MISMATCH"],
		["a parser that keeps no text", keepObject, "parsed", "BODY_BYTES_LOST"],
	] as const)("%s", async (_name, parser, left, reason) => {
		world = await openBehind(parser);
		const bound = `Bearer ${tok({ payload_sha256: sha256(BODY) })}`;
		const body = BODY.replace("d1", "d2");
		expectRefusal(await world.send({ authorization: bound, body }), reason);
		expect(world.runs).toEqual([]);
		expectOk(await world.send({ authorization: bound }));
		expect(world.runs.map((run) => run.bodySource)).toEqual([left]);
		expectOk(await world.send({ authorization: bound }), DUPLICATE);
		expectRefusal(await world.send({ authorization: null }), "TOKEN_MISSING");
	});

	test("a parser that left the request alone", async () => {
		world = await openBehind(bodyParser({ enableTypes: ["form"] }));
		expectOk(await world.send());
		expect(world.runs[0]?.bodySource).toBe("raw");
	});

	test("A02 a stream that was read is 500, and nothing runs", async () => {
		world = await openBehind(drain);
		expectRefusal(await world.send(), "BODY_ALREADY_READ");
		expect(world.runs).toEqual([]);
	});
});

test("middleware around it sees the answer, and its headers stay", async () => {
	const seen: unknown[] = [];
	world = await openBehind(async (context, next) => {
		context.set("x-outer", "1");
		await next();
		seen.push(context.status, context.body);
	});
	const answer = await world.send();
	expectOk(answer);
	expect(answer.headers["x-outer"]).toBe("1");
	expect(seen).toEqual([200, '{"ok":true,"handled":true}']);
});

test("a probe is 204 without a body", async () => {
	world = await openWorld(
		{
			open: (receiver) =>
				listen(createServer(new Koa().use(toKoa(receiver)).callback())),
		},
		{ probe: true },
	);
	for (const method of ["GET", "HEAD", "OPTIONS"]) {
		const { status, text, headers } = await world.send({ method });
		expect([status, text, headers.allow]).toEqual([204, "", "POST"]);
	}
});
