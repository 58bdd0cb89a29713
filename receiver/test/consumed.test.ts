import { createServer } from "node:http";
import { serve as serveHono } from "@hono/node-server";
import { toExpress } from "@partnerwire/receiver/express";
import { toH3Handler } from "@partnerwire/receiver/h3";
import { toHono } from "@partnerwire/receiver/hono";
import express from "express";
import { H3 } from "h3";
import { toNodeHandler as toH3NodeHandler } from "h3/node";
import { Hono } from "hono";
import { afterEach, describe, expect, test } from "vitest";
import { listen } from "#kit/endpoints/adapters.ts";
import type { Mounted } from "#kit/endpoints/fetch-adapters.ts";
import { fromResponse, sendOverHttp, toRequest } from "#kit/endpoints/shot.ts";
import { BODY } from "#kit/endpoints/tokens.ts";
import { DUPLICATE, expectOk, expectRefusal } from "./cases/case.ts";
import { MOUNTS, openBehind, PARSERS } from "./helpers/behind-parser.ts";
import { openWorld, type World } from "./helpers/world.ts";

let world: World | undefined;
afterEach(() => world?.close());

describe.each(MOUNTS)("A01 A03 %s", (_mount, mount) => {
	test.each(PARSERS)("behind %s", async (_name, parser, left) => {
		world = await openBehind(parser, mount);
		const answer = await world.send();
		if (left === "nothing") {
			expectRefusal(answer, "BODY_ALREADY_READ");
			expect(world.runs.length).toBe(0);
			return;
		}
		expectOk(answer);
		expect(world.runs[0]?.bodySource).toBe(left);
		expect(Buffer.from(world.runs[0]?.rawBody ?? []).toString()).toBe(BODY);
		expectOk(await world.send(), DUPLICATE);
		expectRefusal(await world.send({ authorization: null }), "TOKEN_MISSING");
	});

	test("a parser that left the request alone", async () => {
		world = await openBehind(express.json({ type: "x/y" }), mount);
		expectOk(await world.send());
		expect(world.runs[0]?.bodySource).toBe("raw");
	});

	test("A10 a body that the parser has inflated", async () => {
		world = await openBehind(express.raw({ type: () => true }), mount);
		const { gzipSync } = await import("node:zlib");
		expectOk(
			await world.send({
				body: gzipSync(BODY),
				headers: { "content-encoding": "gzip" },
			}),
		);
	});
});

describe("A04 raw bytes and a parsed object have one fingerprint", () => {
	test("once raw, once parsed: a duplicate", async () => {
		world = await openWorld({
			open: (receiver) => {
				const app = express()
					.use("/raw", toExpress(receiver))
					.use("/parsed", express.json(), toExpress(receiver));
				return listen(createServer(app));
			},
		});
		const body =
			'{"configuration":[],"deal":{"label":"\\u00e9","uuid":"d","n":[1.50,-0,2e3,0.1]}}';
		expectOk(await world.send({ path: "/raw", body }));
		expectOk(await world.send({ path: "/parsed", body }), DUPLICATE);
	});
});

describe("A02 a web request that was read", () => {
	const closed = { open: () => Promise.resolve({} as Mounted) };

	test("fetch: a clean 500, no throw", async () => {
		world = await openWorld({
			open: async (receiver) => ({
				send: async (shot) => {
					const request = toRequest(shot);
					await request.text();
					return fromResponse(await receiver.fetch(request));
				},
				close: async () => {},
			}),
		});
		expectRefusal(await world.send(), "BODY_ALREADY_READ");
		expect(world.runs.length).toBe(0);
	});

	test("fetch: a locked body is the same", async () => {
		const { receiver } = await openWorld(closed);
		const request = toRequest({});
		request.body?.getReader();
		const answer = await fromResponse(await receiver.fetch(request));
		expectRefusal(answer, "BODY_ALREADY_READ");
	});

	test("fetch: a body that breaks off is 400", async () => {
		const { receiver } = await openWorld(closed);
		const body = new ReadableStream({
			pull: (controller) => controller.error(new Error("reset")),
		});
		const { headers } = toRequest({});
		const init = { method: "POST", headers, body, duplex: "half" };
		const request = new Request("http://x/", init as RequestInit);
		const answer = await fromResponse(await receiver.fetch(request));
		expectRefusal(answer, "BODY_INCOMPLETE");
	});

	test.each(["json", "text", "arrayBuffer", "blob"] as const)(
		"hono: after c.req.%s()",
		async (method) => {
			world = await openWorld({
				open: async (receiver) => {
					const app = new Hono()
						.use(async (c, next) => {
							await c.req[method]();
							await next();
						})
						.all("/hook", toHono(receiver));
					return {
						send: async (shot) =>
							fromResponse(await app.request(toRequest(shot))),
						close: async () => {},
					};
				},
			});
			expectOk(await world.send());
			expect(Buffer.from(world.runs[0]?.rawBody ?? []).toString()).toBe(BODY);
			// With an empty body c.req.json() throws in the middleware.
			if (method !== "json")
				expectRefusal(await world.send({ body: "" }), "EMPTY_BODY");
		},
	);

	test("hono: read behind Hono's back", async () => {
		world = await openWorld({
			open: async (receiver) => {
				const app = new Hono()
					.use(async (c, next) => {
						await c.req.raw.text();
						await next();
					})
					.all("/hook", toHono(receiver));
				return {
					send: async (shot) =>
						fromResponse(await app.request(toRequest(shot))),
					close: async () => {},
				};
			},
		});
		expectRefusal(await world.send(), "BODY_ALREADY_READ");
	});

	test("hono on node behind a middleware", async () => {
		world = await openWorld({
			open: (receiver) =>
				new Promise((resolve) => {
					const app = new Hono()
						.use(async (c, next) => {
							await c.req.json();
							await next();
						})
						.all("/hook", toHono(receiver));
					const server = serveHono({ fetch: app.fetch, port: 0 }, (info) =>
						resolve({
							send: (shot) => sendOverHttp(info.port, shot),
							close: () =>
								new Promise((done) => {
									server.close(() => done());
								}),
						}),
					);
				}),
		});
		expectOk(await world.send());
	});

	test("h3: after event.req.text()", async () => {
		world = await openWorld({
			open: (receiver) => {
				const app = new H3()
					.use(async (event, next) => {
						await event.req.text();
						return next();
					})
					.all("/hook", toH3Handler(receiver));
				return listen(
					createServer(
						toH3NodeHandler(app) as Parameters<typeof createServer>[1],
					),
				);
			},
		});
		expectRefusal(await world.send(), "BODY_ALREADY_READ");
	});
});
