import { expect, test } from "vitest";
import { openCountingReceiver } from "../kit/endpoints/counting-receiver.ts";
import {
	findPartnership,
	startDemoService,
} from "../kit/program/demo-service.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

test("A123 at the most talkative log level no key, cookie, token or signing secret is logged, and none is in a page", async () => {
	const receiver = await openCountingReceiver();
	const args = ["--log-level", "debug"];
	const { child, client, keys, url, stop } = await startDemoService(
		createTempFolder(),
		{ args },
	);
	let told = "";
	for (const output of [child.stdout, child.stderr])
		output?.on("data", (chunk) => {
			told += String(chunk);
		});

	const signIn = await fetch(`${url}/_admin/session`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ api_key: keys.full }),
	});
	const { csrf_token } = (await signIn.json()) as { csrf_token: string };
	const [cookie = ""] = signIn.headers.getSetCookie();
	const pair = cookie.split(";")[0] as string;
	const post = (path: string, body: object = {}) =>
		fetch(`${url}/_admin${path}`, {
			method: "POST",
			headers: {
				cookie: pair,
				"content-type": "application/json",
				"x-csrf-token": csrf_token,
			},
			body: JSON.stringify(body),
		}).then((answer) => answer.json() as Promise<Record<string, string>>);

	const made = await post("/v1/integrations", {
		label: "CRM",
		webhook_url: receiver.url,
		api_key: "key-of-the-crm",
		external_settings: { authorisation: [{ id: "token", value: "s3cret" }] },
	});
	const own = `/api/v1/integrations/${made.id}`;
	const rotated = await post(`${own}/rotate-secret`);
	const revealed = await post(`${own}/reveal-secret`);
	expect(revealed.integration_uuid).toBe(rotated.integration_uuid);
	await post(`${own}/test`, { event_id: "lead_created" });
	await post("/v1/webhook-url-probes", { webhook_url: `${url}/healthz` });
	await post("/session", { api_key: "pwk_guessed-by-somebody" });
	await fetch(`${url}/_admin/session?api_key=${keys.full}`);
	const partnership_uuid = await findPartnership(client);
	await client.createLead({ body: { partnership_uuid } });
	await receiver.requests(2);
	await expect.poll(() => told).toMatch(/"message":"delivered"/);
	const page = await (await fetch(`${url}/`)).text();
	expect(await stop()).toBe(0);

	const secrets = [
		keys.full,
		pair.split("=")[1] as string,
		csrf_token,
		made.integration_uuid as string,
		rotated.integration_uuid as string,
		"key-of-the-crm",
		"s3cret",
		"pwk_guessed-by-somebody",
		"Bearer ",
	];
	for (const secret of secrets) expect(told + page).not.toContain(secret);
});
