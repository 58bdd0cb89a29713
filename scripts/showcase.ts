import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Client } from "@partnerwire/sdk";
import type { EventId } from "@partnerwire/wire";
import { openDashboard } from "../test/web/support/open-dashboard.ts";

const HOUR_MS = 3_600_000;

/** A receiver that always gives the same answer. */
async function openEndpoint(
	status: number,
	body: string,
): Promise<{ url: string; server: Server }> {
	const server = createServer((request, response) => {
		request.resume();
		request.on("end", () =>
			response
				.writeHead(status, { "content-type": "application/json" })
				.end(body),
		);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		server,
	};
}

type Made = Awaited<ReturnType<Client["createIntegration"]>>;
export type Showcase = Awaited<ReturnType<typeof openShowcase>>;

/** The attempts of each hour, more in working hours. The first is that of 23 hours ago. */
const toHours = (busy: number, failing: boolean) =>
	Array.from({ length: 23 }, (_, index) => {
		const wave = 1 + Math.sin((index / 23) * Math.PI * 2 - 1.2);
		const total = Math.round(
			busy * (0.25 + wave) + ((index * 7) % 5) * busy * 0.12,
		);
		const failed = failing
			? Math.round(total * Math.max(0, index - 15) * 0.11)
			: index % 11 === 3
				? Math.ceil(total * 0.04)
				: 0;
		return { delivered: Math.max(0, total - failed), failed };
	});

/** A company with integrations in every state, with history and with deliveries in flight. */
export async function openShowcase(database: string) {
	const dashboard = await openDashboard({
		database,
		retrySchedule: [0, 600, 3600],
	});
	const { client, service } = dashboard;
	const fine = await openEndpoint(200, '{"status":"stored"}');
	const broken = await openEndpoint(503, '{"error":"maintenance until 14:00"}');
	const strict = await openEndpoint(401, '{"error":"signature mismatch"}');
	const create = (
		label: string,
		url: string,
		path: string,
		event_ids?: EventId[],
	): Promise<Made> =>
		client.createIntegration({
			body: {
				label,
				webhook_url: url + path,
				...(event_ids && { event_ids }),
				configuration: [
					{
						id: "lead_integration_settings",
						selected: [{ id: "unique_field_lead", value: "email" }],
					},
				],
			},
		});

	const fresh = await create(
		"Marketing automation (staging)",
		fine.url,
		"/marketing",
		["lead_created", "lead_updated"],
	);
	const refused = await create("Billing", strict.url, "/partners/billing", [
		"deal_created",
		"deal_updated",
		"deal_deleted",
	]);
	const paused = await create(
		"Data warehouse",
		fine.url,
		"/ingest/partnerwire",
	);
	const failing = await create("HubSpot", broken.url, "/webhooks/partnerwire");
	const slack = await create("Slack notifications", fine.url, "/slack", [
		"lead_created",
		"deal_created",
	]);
	const healthy = await create("Salesforce", fine.url, "/hooks/partnerwire");
	await client.updateIntegration({
		params: { integration_id: fresh.id },
		body: { event_ids: [] },
	});

	const partner = (await client.listPartners()).data[0]?.uuid ?? "";
	const companies = [
		"Brightwater Foods",
		"Northwind Traders",
		"Harbour Systems",
		"Fernhill Labs",
		"Ostrava Steel",
	];
	const [first, ...others] = companies.map((company_name) => ({
		body: { partnership_uuid: partner, company_name },
	}));
	if (!first) throw new TypeError("no company");
	const lead = await client.createLead(first);
	await client.createDeal({
		body: {
			lead_uuid: lead.uuid,
			label: "Brightwater rollout",
			deal_value: 42_000,
		},
	});
	await settled(client, healthy.id, "delivered", 2);
	await client.pauseIntegration({
		params: { integration_id: paused.id },
		body: { reason: "Warehouse migration, back on Monday" },
	});
	for (const other of others) await client.createLead(other);
	await client.updateLead({
		params: { uuid: lead.uuid },
		body: { status: "qualified" },
	});
	await settled(client, healthy.id, "delivered", 7);
	await settled(client, slack.id, "delivered", 6);
	const waiting = await settled(client, failing.id, "pending", 1);
	await fillHours(service.store, {
		[healthy.id]: toHours(120, false),
		[slack.id]: toHours(14, false),
		[failing.id]: toHours(60, true),
		[paused.id]: toHours(90, false),
		[refused.id]: toHours(20, true),
	});
	await replay(client, healthy.id);

	return {
		url: dashboard.url,
		key: dashboard.keys.full,
		ids: {
			healthy: healthy.id,
			failing: failing.id,
			paused: paused.id,
			delivery: waiting,
		},
		async close() {
			await dashboard.close();
			for (const { server } of [fine, broken, strict]) {
				server.closeAllConnections();
				server.close();
			}
		},
	};
}

/** Waits until this many deliveries of an integration are in a state after an attempt. Returns the uuid of one. */
async function settled(
	client: Client,
	integration_id: string,
	status: "delivered" | "pending",
	count: number,
): Promise<string> {
	for (;;) {
		const { data } = await client.listWebhookEvents({
			query: { integration_id, status },
		});
		const tried = data.filter(({ attempt_count }) => attempt_count > 0);
		const last = tried.at(-1);
		if (last && tried.length >= count) return last.uuid;
	}
}

async function replay(client: Client, integration_id: string): Promise<void> {
	const { uuid } = await client.createWebhookReplay({
		body: { integration_id, statuses: ["delivered"] },
	});
	for (;;) {
		const { status } = await client.getWebhookReplay({
			params: { uuid: uuid ?? "" },
		});
		if (status === "completed") return;
	}
}

type Store = Awaited<ReturnType<typeof openDashboard>>["service"]["store"];

/** Writes a day's attempts into the rollups that the health page reads. */
async function fillHours(
	store: Store,
	of: Record<string, { delivered: number; failed: number }[]>,
): Promise<void> {
	const thisHour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
	await store.write(
		async ({ query, tables: { integration, deliveryRollup } }) => {
			const rows = await query
				.select({ id: integration.id, uuid: integration.uuid })
				.from(integration);
			for (const { id, uuid } of rows) {
				const hours = of[uuid] ?? [];
				if (hours.length === 0) continue;
				await query.insert(deliveryRollup).values(
					hours.map((hour, index) => ({
						integrationId: id,
						hourAt: thisHour - (hours.length - index) * HOUR_MS,
						...hour,
					})),
				);
			}
		},
	);
}
