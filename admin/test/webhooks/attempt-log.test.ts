import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { createLog, type LogLevel } from "../../src/service/log.ts";
import { createAttemptLog } from "../../src/service/log-attempt.ts";
import { openReceiver, type TestReceiver } from "../support/receiver.ts";
import {
	createIntegration,
	createLead,
	createPartner,
} from "../support/records.ts";

const lines: string[] = [];
let level: LogLevel = "debug";
let api: Api;
let receiver: TestReceiver;

beforeAll(async () => {
	receiver = await openReceiver();
	api = await openApi({
		allowHttp: true,
		allowPrivate: true,
		onAttempt: (...attempt) =>
			createAttemptLog(createLog(level, (line) => lines.push(line)))(
				...attempt,
			),
	});
	api.service.startWorker();
});
afterAll(async () => {
	await receiver.close();
	await api.close();
});

test("each attempt is one line at debug, each failure one at warn, without URL, token or secret", async () => {
	const partner = await createPartner(api);
	const integration = await createIntegration(api, {
		webhook_url: `${receiver.url}?key=in-the-url`,
		api_key: "key-of-the-crm",
		external_settings: { authorisation: [{ id: "a", value: "s3cret" }] },
	});
	await createLead(api, partner.uuid);
	await expect.poll(() => lines.length).toBe(1);
	receiver.answerWith(500);
	await createLead(api, partner.uuid);
	await expect.poll(() => lines.length).toBe(2);
	expect(lines.map((line) => JSON.parse(line))).toMatchObject([
		{
			level: "debug",
			message: "delivered",
			process: expect.stringMatching(new RegExp(`^.+:${process.pid}$`)),
			integration: integration.id,
			event_id: "lead_created",
			sequence: 1,
			attempt: 1,
			status: 200,
		},
		{
			level: "warn",
			message: "attempt failed, will be retried",
			status: 500,
			class: "server_error",
			stage: "status",
			waiting_for: "schedule",
			next_attempt_at: expect.stringMatching(/Z$/),
		},
	]);
	for (const hidden of [
		integration.integration_uuid,
		"eyJ",
		"key-of-the-crm",
		"s3cret",
		"in-the-url",
	])
		expect(lines.join()).not.toContain(hidden);

	level = "warn";
	receiver.answerWith(200);
	await createLead(api, partner.uuid);
	await receiver.received(3);
	receiver.answerWith(410);
	await createLead(api, partner.uuid);
	await expect.poll(() => lines.length).toBe(3);
	expect(JSON.parse(lines[2] ?? "")).toMatchObject({
		message: "delivery failed",
		pauses_integration: "gone",
	});
});
