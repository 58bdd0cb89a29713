import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createReceiver, verify } from "@partnerwire/receiver";
import { toH3Handler } from "@partnerwire/receiver/h3";
import { toNodeHandler } from "@partnerwire/receiver/node";
import { H3, serve } from "h3";
import { expect, test } from "vitest";

const SECRET = "6f1c2b9e-6a51-4d0b-9a53-7f0d5a0c1e11";
const b = (v: unknown) => Buffer.from(JSON.stringify(v)).toString("base64url");
const now = Math.floor(Date.now() / 1000);
const input = `${b({ alg: "HS256", typ: "JWT" })}.${b({ company_uuid: "c", user_uuid: "u", event_id: "deal_updated", iat: now, exp: now + 60 })}`;
const GOOD = `${input}.${createHmac("sha256", SECRET).update(input).digest("base64url")}`;
const BODY = '{"deal":{"uuid":"d-1","label":"d1"},"configuration":[]}';

test("smoke", async () => {
	const seen: unknown[] = [];
	const receiver = createReceiver({
		secret: SECRET,
		onVerdict: (v) => seen.push(v.outcome),
	}).on("Deal", () => {});
	const init = {
		method: "POST",
		headers: {
			authorization: `Bearer ${GOOD}`,
			"content-type": "application/json",
		},
		body: BODY,
	};
	expect(await verify(GOOD, { secret: SECRET })).toMatchObject({ ok: true });
	expect(
		(await receiver.fetch(new Request("http://x/hook", init))).status,
	).toBe(200);
	const server = createServer(toNodeHandler(receiver)).listen(0, "127.0.0.1");
	await new Promise((r) => server.once("listening", r));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
	const second = await fetch(url, init);
	expect(await second.json()).toEqual({ ok: true, duplicate: true });
	expect((await fetch(url, { ...init, headers: {} })).status).toBe(401);
	server.close();
	const app = new H3().all("/hook", toH3Handler(receiver));
	const h = serve(app, { port: 0, hostname: "127.0.0.1", silent: true });
	await h.ready();
	expect(await (await fetch(new URL("/hook", h.url), init)).json()).toEqual({
		ok: true,
		duplicate: true,
	});
	await h.close(true);
	expect(seen).toEqual(["handled", "duplicate", "rejected", "duplicate"]);
});
