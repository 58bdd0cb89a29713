import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { getTestServer } from "@google-cloud/functions-framework/testing";
import { type Inbox, REASONS, type Receiver } from "@partnerwire/receiver";
import type { SequenceTracker } from "@partnerwire/receiver/catch-up";
import { signedRequest, TEST_SECRET } from "@partnerwire/receiver/testing";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { toV2Event } from "#kit/endpoints/lambda-events.ts";
import { blocksOf, docs, openBlocks } from "./helpers/doc-blocks.ts";

const { folder, run } = openBlocks();

beforeAll(() => {
	process.env.PARTNERWIRE_WEBHOOK_SECRET = TEST_SECRET;
	process.env.PORT = "0";
	const [first = ""] = blocksOf("# The receiver");
	writeFileSync(join(folder, "receiver.js"), first);
});

async function expectTwice(
	send: (request: Request) => Promise<Response>,
): Promise<void> {
	const request = await signedRequest({ eventId: "lead_created" });
	const copy = request.clone();
	expect(await (await send(request)).json()).toEqual({
		ok: true,
		handled: true,
	});
	expect(await (await send(copy)).json()).toEqual({
		ok: true,
		duplicate: true,
	});
	const stranger = new Request("http://x/hook", { method: "POST", body: "{}" });
	expect((await send(stranger)).status).toBe(401);
}

const overSocket = (port: number) => async (request: Request) =>
	fetch(`http://localhost:${port}/hook`, {
		method: "POST",
		headers: request.headers,
		body: await request.arrayBuffer(),
	});

describe("the blocks of docs/receiver.md", () => {
	test("### Workers, Deno and Bun", async () => {
		const { default: worker } = await run<{
			default: { fetch(request: Request): Promise<Response> };
		}>(blocksOf("### Workers, Deno and Bun")[0]);
		await expectTwice(worker.fetch);
	});

	test.each(["node:http", "Express", "Fastify", "Koa", "Hono"])(
		"### %s",
		async (name) => {
			const { server } = await run<{ server: Server }>(
				blocksOf(`### ${name}`)[0],
			);
			if (!server.listening) await once(server, "listening");
			const address = server.address();
			if (!address || typeof address === "string") throw new Error("no port");
			await expectTwice(overSocket(address.port));
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	);

	test("### h3", async () => {
		const { server } = await run<{
			server: {
				url: string;
				ready(): Promise<unknown>;
				close(force: boolean): Promise<void>;
			};
		}>(blocksOf("### h3")[0]);
		await server.ready();
		await expectTwice(overSocket(Number(new URL(server.url).port)));
		await server.close(true);
	});

	test("### Next.js", async () => {
		const { POST, GET } = await run<
			Record<string, (request: Request) => Promise<Response>>
		>(blocksOf("### Next.js")[0]);
		await expectTwice((request) => POST?.(request) as Promise<Response>);
		expect((await GET?.(new Request("http://x/hook")))?.status).toBe(405);
	});

	test("### AWS Lambda", async () => {
		const { handler } = await run<{
			handler(event: object): Promise<{ statusCode: number; body: string }>;
		}>(blocksOf("### AWS Lambda")[0]);
		await expectTwice(async (request) => {
			const event = toV2Event({
				authorization: request.headers.get("authorization"),
				body: await request.text(),
			});
			const { statusCode, body } = await handler(event);
			return new Response(body, { status: statusCode });
		});
	});

	test("### Azure Functions", async () => {
		const { handler } = await run<{
			handler(request: object): Promise<{ status: number; body: string }>;
		}>(blocksOf("### Azure Functions")[0]);
		await expectTwice(async (request) => {
			const { body, ...init } = await handler(request);
			return new Response(body, init);
		});
	});

	test("### Google Cloud Functions", async () => {
		await run(blocksOf("### Google Cloud Functions")[0]);
		const server = getTestServer("hook").listen(0);
		await once(server, "listening");
		await expectTwice(overSocket((server.address() as AddressInfo).port));
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});

	test("## The inbox", async () => {
		const before = process.cwd();
		process.chdir(folder);
		try {
			const { receiver, inbox } = await run<{
				receiver: Receiver;
				inbox: Inbox;
			}>(blocksOf("## The inbox")[0]);
			const body = { lead: { uuid: "l" }, configuration: [] };
			const answer = await receiver.fetch(await signedRequest({ body }));
			expect(await answer.json()).toEqual({ ok: true, stored: true });
			while ((await inbox.stats()).dead < 1) await new Promise(setImmediate);
			await receiver.close();
		} finally {
			process.chdir(before);
		}
	});

	test("## Duplicates: the SQLite store", async () => {
		const before = process.cwd();
		process.chdir(folder);
		try {
			const { receiver } = await run<{
				receiver: { fetch(request: Request): Promise<Response> };
			}>(blocksOf("## Duplicates")[0]);
			const answer = await receiver.fetch(await signedRequest());
			expect(await answer.json()).toEqual({ ok: true, handled: false });
		} finally {
			process.chdir(before);
		}
	});

	test("## Gaps and catching up", async () => {
		const request = await signedRequest({ claims: { sequence: 1 } });
		const item = {
			sequence: 1,
			uuid: "0197a4a0-0000-7000-8000-000000000001",
			event_id: "lead_created",
			omitted: null,
			token: request.headers.get("authorization")?.slice("Bearer ".length),
			body: await request.clone().text(),
		};
		const asked: (string | undefined)[] = [];
		const service = createServer(({ url, headers }, response) => {
			asked.push(url, headers.authorization);
			response.setHeader("content-type", "application/json");
			response.end(
				JSON.stringify({
					to_sequence: 1,
					newest_sequence: 1,
					data: [item],
					purged: [],
				}),
			);
		}).listen(0, "127.0.0.1");
		await once(service, "listening");
		const { port } = service.address() as AddressInfo;
		vi.stubEnv("PARTNERWIRE_URL", `http://127.0.0.1:${port}`);
		vi.stubEnv("PARTNERWIRE_API_KEY", "pwk_of_docs");
		vi.stubEnv("INTEGRATION_ID", item.uuid);
		try {
			const { result, receiver, sequence } = await run<{
				result: object;
				receiver: Receiver;
				sequence: SequenceTracker;
			}>(blocksOf("## Gaps and catching up")[0]);
			expect(result).toMatchObject({ last: 1, complete: true, handled: 1 });
			expect(asked).toEqual([
				`/v1/webhook-events/feed?integration_id=${item.uuid}&after_sequence=0&limit=25`,
				"Bearer pwk_of_docs",
			]);
			expect(sequence.position()).toBe(1);
			const late = await receiver.fetch(request);
			expect(await late.json()).toEqual({ ok: true, duplicate: true });
		} finally {
			vi.unstubAllEnvs();
			service.closeAllConnections();
			service.close();
		}
	});

	test("## Testing your handler", async () => {
		const { good, forged, expired } = await run<Record<string, Response>>(
			blocksOf("## Testing your handler")[0],
		);
		expect([good?.status, forged?.status, expired?.status]).toEqual([
			200, 401, 401,
		]);
		expect(await expired?.text()).toContain("TOKEN_EXPIRED");
	});
});

// A block that registers tests must run while vitest collects this file.
await run(blocksOf("## Duplicates")[1]);

test("the table of codes is the exported one", () => {
	const rows = [
		...docs.matchAll(/^\| `([A-Z][A-Z0-9_]+)` +\| (\d+) +\| (.*?) +\|$/gm),
	];
	const table = Object.fromEntries(
		rows.map(([, code, status, message]) => [code, [Number(status), message]]),
	);
	expect(table).toEqual(REASONS);
});
