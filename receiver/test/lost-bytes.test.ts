/** A body parser drops the bytes of a body. What must be checked on them is not skipped in silence. */

import type { ReceiverOptions } from "@partnerwire/receiver";
import { toExpress } from "@partnerwire/receiver/express";
import express from "express";
import { afterEach, describe, expect, test } from "vitest";
import { BODY, sha256, tok } from "#kit/endpoints/tokens.ts";
import { expectOk, expectRefusal } from "./cases/case.ts";
import { MOUNTS, openBehind, PARSERS } from "./helpers/behind-parser.ts";
import type { World } from "./helpers/world.ts";

let world: World | undefined;
afterEach(() => world?.close());

const bound = (body: string, more: object = {}) => ({
	authorization: `Bearer ${tok({ payload_sha256: sha256(body), ...more })}`,
});

const REFUSALS = {
	raw: "PAYLOAD_MISMATCH",
	parsed: "BODY_BYTES_LOST",
	nothing: "BODY_ALREADY_READ",
} as const;

describe.each(MOUNTS)("A01 payload_sha256 with %s", (_mount, mount) => {
	test.each(PARSERS)(
		"a captured token works with its own body alone, behind %s",
		async (_name, parser, left) => {
			world = await openBehind(parser, mount);
			const other = BODY.replace("d1", "d2");
			expectRefusal(
				await world.send({ ...bound(BODY), body: other }),
				REFUSALS[left],
			);
			expect(world.runs).toEqual([]);
			if (left === "nothing") return;
			expectOk(await world.send(bound(BODY)));
			expect(world.runs.map((run) => run.bodyBound)).toEqual([true]);
		},
	);
});

describe("A01 a parser's object whose bytes a check needs", () => {
	const spaced = `${BODY.slice(0, -1)} }`;
	const open = (options: Partial<ReceiverOptions>) =>
		openBehind(express.json(), (receiver) => toExpress(receiver), options);

	test("is refused, and the log says what to do", async () => {
		world = await open({});
		expectRefusal(
			await world.send({ ...bound(spaced), body: spaced }),
			"BODY_BYTES_LOST",
		);
		expect(world.log.join()).toContain("before `express.json()`");
	});

	test("is taken with allowParsedBody, and flagged", async () => {
		world = await open({ allowParsedBody: true, rejectDuplicateKeys: true });
		expectOk(await world.send(bound(BODY, { jti: "a" })));
		expectOk(
			await world.send({ ...bound(spaced, { jti: "b" }), body: spaced }),
		);
		expect(world.runs.map((run) => run.bodyBound)).toEqual([true, false]);
	});

	test("passes rejectDuplicateKeys only if the token names its text", async () => {
		world = await open({ rejectDuplicateKeys: true });
		const twice = BODY.replace("{", '{"deal":{"uuid":"first"},');
		expectRefusal(await world.send({ body: twice }), "BODY_BYTES_LOST");
		expectRefusal(
			await world.send({ ...bound(twice), body: twice }),
			"BODY_BYTES_LOST",
		);
		expect(world.runs).toEqual([]);
		expectOk(await world.send(bound(BODY)));
	});

	test("is not larger than maxBodyBytes", async () => {
		world = await open({ maxBodyBytes: BODY.length });
		expectOk(await world.send());
		const longer = BODY.replace("d1", "d12");
		expectRefusal(await world.send({ body: longer }), "BODY_TOO_LARGE");
	});
});
