import type { Observation } from "@partnerwire/receiver";
import type { Client } from "@partnerwire/sdk";
import { type Output, paint } from "../output/output.ts";
import { CommandError } from "../usage-error.ts";
import type { DemoReceiver } from "./demo-receiver.ts";

/** How long one event may take to arrive; on loopback it takes milliseconds. */
const PATIENCE_MS = 15_000;

/** Runs the demo step by step: it creates records through the API, and their events arrive, verified, once. */
export async function tellStory(
	client: Client,
	receiver: DemoReceiver,
	output: Output,
): Promise<void> {
	const integration = await client.createIntegration({
		body: { label: "Demo receiver", webhook_url: receiver.url },
	});
	receiver.useSecret(integration.integration_uuid);
	output.say(
		{ event: "integration", id: integration.id },
		`\nIntegration ${integration.id} → ${receiver.url}`,
	);

	const [partner] = (await client.listPartners()).data;
	if (!partner)
		throw new CommandError(
			"the database holds no partner to create a lead for",
		);
	const person = {
		first_name: "Lena",
		last_name: "Moreau",
		email: "lena.moreau@globex.example",
	};
	const lead = await client.createLead({
		body: { partnership_uuid: partner.uuid, company_name: "Globex", ...person },
	});
	await show(receiver, output, `POST /v1/leads → lead ${lead.uuid}`);
	const deal = await client.createDeal({
		body: { lead_uuid: lead.uuid, deal_value: 12_500 },
	});
	await show(receiver, output, `POST /v1/deals → deal ${deal.uuid}`);
	const note = await client.createLeadNote({
		params: { uuid: lead.uuid },
		body: { content: "Asked for a demo." },
	});
	await show(
		receiver,
		output,
		`POST /v1/leads/{uuid}/notes → note ${note.uuid}`,
	);

	await receiver.repeatFirst();
	const seen = await show(
		receiver,
		output,
		"The first request once more, byte for byte",
	);
	if (seen.outcome !== "duplicate")
		throw new CommandError("the duplicate was not recognised");
}

async function show(
	receiver: DemoReceiver,
	output: Output,
	what: string,
): Promise<Observation> {
	const seen = await withPatience(receiver.next());
	if (seen.status !== 200)
		throw new CommandError(`the receiver refused the event: ${seen.reason}`);
	const { event_id, user_uuid, iat, exp } = seen.claims ?? {};
	const claims = {
		event_id,
		user_uuid,
		iat,
		exp,
		jti: seen.jti,
		sequence: seen.sequence,
	};
	const verdict =
		seen.outcome === "duplicate"
			? paint.yellow("duplicate")
			: paint.green("verified");
	output.say(
		{ event: "received", outcome: seen.outcome, claims: seen.claims },
		[
			`\n${what}`,
			`  ${verdict}  ${seen.eventId}`,
			`  ${paint.dim(JSON.stringify(claims))}`,
		].join("\n"),
	);
	return seen;
}

async function withPatience<Result>(awaited: Promise<Result>): Promise<Result> {
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<never>((_, reject) => {
		const error = new CommandError(
			`no event arrived within ${PATIENCE_MS / 1000} s`,
		);
		timer = setTimeout(() => reject(error), PATIENCE_MS);
	});
	try {
		return await Promise.race([awaited, timeout]);
	} finally {
		clearTimeout(timer);
	}
}
