/** Bodies on Azure Functions and Google Cloud Functions: raw, parsed and drained. */
import azure from "@azure/functions";
import { createReceiver } from "@partnerwire/receiver";
import { toAzure } from "@partnerwire/receiver/azure";
import { afterEach, describe, expect, test } from "vitest";
import { ADAPTERS } from "#kit/endpoints/adapters.ts";
import type { Adapter } from "#kit/endpoints/fetch-adapters.ts";
import {
	BODY,
	GOOD,
	NOW_MS,
	SECRET,
	sha256,
	tok,
} from "#kit/endpoints/tokens.ts";
import { expectOk, expectRefusal } from "../cases/case.ts";
import { openWorld, type World } from "../helpers/world.ts";

let world: World | undefined;
afterEach(() => world?.close());

describe("Azure Functions", () => {
	const handler = toAzure(
		createReceiver({ secret: SECRET, clock: () => NOW_MS, log: () => {} }),
	);
	const url = "http://127.0.0.1/api/hook";

	test("A02 a body that a hook has read is a clean 500", async () => {
		const request = new azure.HttpRequest({
			method: "POST",
			url,
			headers: { authorization: `Bearer ${GOOD}` },
			body: { string: BODY },
		});
		await request.text();
		const { status, body } = await handler(request);
		expect([status, body]).toEqual([
			500,
			expect.stringContaining("BODY_ALREADY_READ"),
		]);
	});

	test("the answer to HEAD has no body", async () => {
		const [head, get] = await Promise.all(
			["HEAD", "GET"].map((method) =>
				handler(new azure.HttpRequest({ method, url })),
			),
		);
		expect([head?.status, head?.body]).toEqual([405, undefined]);
		expect(get?.body).toContain("METHOD_NOT_ALLOWED");
	});
});

describe("Google Cloud Functions", () => {
	const google = ADAPTERS.find(({ name }) =>
		name.startsWith("google"),
	) as Adapter;

	test("the framework's parser keeps the bytes, and they are what counts", async () => {
		world = await openWorld(google);
		const authorization = `Bearer ${tok({ payload_sha256: sha256(BODY) })}`;
		const spaced = `${BODY.slice(0, -1)} }`;
		expectRefusal(
			await world.send({ authorization, body: spaced }),
			"PAYLOAD_MISMATCH",
		);
		expectOk(await world.send({ authorization }));
		expect(world.runs.map((run) => run.bodySource)).toEqual(["raw"]);
	});

	test.each([
		["broken JSON", 400, { body: '{"deal":' }],
		["no object", 400, { body: "null" }],
		["gzip that is none", 400, { headers: { "content-encoding": "gzip" } }],
		["another coding", 415, { headers: { "content-encoding": "zstd" } }],
	])("it refuses %s itself, before the token", async (_name, status, shot) => {
		world = await openWorld(google);
		for (const more of [{}, { authorization: null }]) {
			const answer = await world.send({ ...shot, ...more });
			expect(answer.status).toBe(status);
			expect(answer.headers["x-webhook-receiver"]).toBeUndefined();
		}
		expect([world.runs, world.seen]).toEqual([[], []]);
	});
});
