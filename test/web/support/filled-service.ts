import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@partnerwire/sdk";
import { expect } from "vitest";
import { findPartnership } from "../../kit/program/demo-service.ts";
import { openDashboard } from "./open-dashboard.ts";

/** Labels that a page must show unchanged. */
const LABELS = [
	"<script>document.title = 'owned'</script>",
	"W".repeat(255),
	"نظام إدارة العملاء للشركاء",
	"\u202eright to left override",
	"{{ constructor.constructor('alert(1)')() }}",
];

export type FilledService = Awaited<ReturnType<typeof openFilledService>>;

/** A service with a failing integration, a paused one with a planned rotation, and events for both. */
export async function openFilledService() {
	const folder = mkdtempSync(join(tmpdir(), "partnerwire-web-"));
	const service = await openDashboard({
		database: join(folder, "test.db"),
		retrySchedule: [0, 3600],
	});
	const { client } = service;
	const receiver = createServer((request, response) => {
		request.resume();
		request.on("end", () => response.writeHead(500).end("broken"));
	});
	receiver.listen(0, "127.0.0.1");
	await once(receiver, "listening");
	const webhook_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
	const create = (label: string) =>
		client.createIntegration({ body: { label, webhook_url, event_ids: [] } });

	const failing = await client.createIntegration({
		body: { label: "Failing CRM", webhook_url },
	});
	const paused = await create("Paused CRM");
	await client.pauseIntegration({
		params: { integration_id: paused.id },
		body: { reason: "upgrade" },
	});
	await client.rotateIntegrationSecret({
		params: { integration_id: paused.id },
		body: { cutover_at: new Date(Date.now() + 86_400_000).toISOString() },
	});
	await create("<img src=x onerror=alert(1)>");
	await client.createLead({
		body: {
			partnership_uuid: await findPartnership(client),
			company_name: "Globex",
		},
	});
	const delivery = await untilFailed(client, failing.id);

	return {
		...service,
		labels: LABELS,
		ids: { failing: failing.id, paused: paused.id, delivery },
		create,
		/** Creates this many further integrations, named `Partner system N`. */
		async createMany(count: number) {
			const SIDE_BY_SIDE = 50;
			for (let first = 0; first < count; first += SIDE_BY_SIDE)
				await Promise.all(
					Array.from({ length: SIDE_BY_SIDE }, (_, index) =>
						create(`Partner system ${first + index}`),
					),
				);
		},
		async close() {
			await service.close();
			receiver.closeAllConnections();
			receiver.close();
			rmSync(folder, { recursive: true, force: true });
			expect(service.faults).toEqual([]);
		},
	};
}

/** Waits until the first delivery's first attempt has failed, and returns the delivery. */
async function untilFailed(
	client: Client,
	integration_id: string,
): Promise<string> {
	for (;;) {
		const { data } = await client.listWebhookEvents({
			query: { integration_id },
		});
		const failed = data.find(
			({ last_error, status }) => last_error !== null && status === "pending",
		);
		if (failed) return failed.uuid;
	}
}
