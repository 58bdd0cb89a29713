import type { AddressInfo } from "node:net";
import { toFastifyHandler } from "@partnerwire/receiver/fastify";
import { fastify } from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import { sendOverHttp } from "#kit/endpoints/shot.ts";
import { BODY, sha256, tok } from "#kit/endpoints/tokens.ts";
import { DUPLICATE, expectOk, expectRefusal } from "../cases/case.ts";
import { openWorld, type World } from "../helpers/world.ts";

let world: World | undefined;
afterEach(() => world?.close());

describe("A01 fastify's own parsers, before toFastifyHandler", () => {
	const open = (raw: boolean) =>
		openWorld({
			open: async (receiver) => {
				const app = fastify();
				if (raw)
					app.addContentTypeParser(
						"application/json",
						{ parseAs: "buffer" },
						(_request, body, done) => done(null, body),
					);
				app.all("/hook", toFastifyHandler(receiver));
				await app.listen({ port: 0, host: "127.0.0.1" });
				const { port } = app.server.address() as AddressInfo;
				return {
					send: (shot) => sendOverHttp(port, shot),
					close: () => app.close(),
				};
			},
		});

	test("the parsed object is taken", async () => {
		world = await open(false);
		expectOk(await world.send());
		expect(world.runs[0]?.bodySource).toBe("parsed");
		expectOk(await world.send(), DUPLICATE);
		expectRefusal(await world.send({ authorization: null }), "TOKEN_MISSING");
		expect((await world.send({ method: "GET" })).status).toBe(405);
	});

	test("a captured token works with its own body alone", async () => {
		const authorization = `Bearer ${tok({ payload_sha256: sha256(BODY) })}`;
		const body = BODY.replace("d1", "d2");
		for (const [raw, reason] of [
			[false, "BODY_BYTES_LOST"],
			[true, "PAYLOAD_MISMATCH"],
		] as const) {
			world = await open(raw);
			expectRefusal(await world.send({ authorization, body }), reason);
			expectOk(await world.send({ authorization }));
			await world.close();
		}
	});

	test("a kept buffer is taken as it is", async () => {
		world = await open(true);
		expectOk(await world.send());
		expect(world.runs[0]?.bodySource).toBe("raw");
	});
});
