import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { send } from "@partnerwire/dispatcher";
import { expect, onTestFinished, test } from "vitest";
import { toReceiverCode } from "../../admin/web/src/lib/receiver-code.ts";
import leadCreated from "../../fixtures/events/lead_created.json" with {
	type: "json",
};

const CONFIGURATION = [
	{
		id: "lead_integration_settings",
		selected: [{ id: "unique_field_lead", value: "email" }],
	},
];

test("the receiver code that the dashboard shows runs as it stands, and acknowledges the integration's events", async () => {
	const code = toReceiverCode("node", {
		event_ids: ["lead_created", "lead_updated", "deal_created"],
		configuration: CONFIGURATION,
		webhook_url: "https://crm.example.com/hook",
	});
	const listening = code.replace(
		"listen(4400)",
		"listen(0, '127.0.0.1', function () { console.log(this.address().port); })",
	);
	expect(listening).not.toBe(code);
	const secret = randomUUID();
	const child = spawn(
		process.execPath,
		["--input-type=module", "--eval", listening],
		{
			cwd: join(import.meta.dirname, "../.."),
			env: { ...process.env, PARTNERWIRE_WEBHOOK_SECRET: secret },
			stdio: ["ignore", "pipe", "inherit"],
		},
	);
	onTestFinished(() => {
		child.kill();
	});
	const lines = createInterface({ input: child.stdout })[
		Symbol.asyncIterator
	]();
	const port = (await lines.next()).value;
	const result = await send({
		url: `http://127.0.0.1:${port}/hook`,
		secret,
		event: "lead_created",
		entity: leadCreated.lead as never,
		configuration: CONFIGURATION,
		companyUuid: randomUUID(),
		userUuid: randomUUID(),
		wireOptions: { allowHttp: true, allowPrivate: true },
	});
	expect(result.delivered).toBe(true);
	expect((await lines.next()).value).toBe(
		`lead_created ${leadCreated.lead.uuid} ${leadCreated.lead.email}`,
	);
});
