/* The story of `partnerwire demo`: each step says what it proves, does it through the API, and shows what came of it. */
import { setTimeout as wait } from "node:timers/promises";
import type { WebhookEventDetail } from "@partnerwire/contract";
import type { Observation } from "@partnerwire/receiver";
import type { Client } from "@partnerwire/sdk";
import { type Output, paint } from "../output/output.ts";
import { CommandError } from "../usage-error.ts";
import type { DemoReceiver } from "./demo-receiver.ts";

/** How long each thing may take; on loopback it takes milliseconds. */
const PATIENCE_MS = 15_000;
/** How often to look whether a delivery has reached a state. */
const LOOK_MS = 25;
/** Seconds before each attempt: short ones, so that nobody waits for the retry. */
const RETRY_SCHEDULE = [0, 1, 1, 5, 60, 300];

interface Stage {
	readonly client: Client;
	readonly receiver: DemoReceiver;
	readonly output: Output;
	/** Called as soon as the integration is made. */
	readonly onIntegration: (id: string) => void;
}

export interface Story {
	readonly integrationId: string;
	/** The delivery that had to be retried. */
	readonly retriedId: string;
}

/** Tells the story. Throws a `CommandError` if anything comes otherwise than a step says. */
export async function tellStory(stage: Stage): Promise<Story> {
	const { client, receiver, output, onIntegration } = stage;
	const step = createSteps(output);
	const { id, integration_uuid } = await client.createIntegration({
		body: {
			label: "Demo receiver",
			webhook_url: receiver.url,
			retry_schedule: RETRY_SCHEDULE,
		},
	});
	onIntegration(id);
	receiver.useSecret(integration_uuid);
	output.say(
		{ event: "integration", id },
		`Integration ${id} sends every event to a receiver at ${receiver.url}`,
	);

	step("A webhook arrives signed, and is verified before any code sees it");
	const [partner] = (await client.listPartners()).data;
	if (!partner)
		throw new CommandError(
			"the database holds no partner to create a lead for",
		);
	const lead = await client.createLead({
		body: {
			partnership_uuid: partner.uuid,
			company_name: "Globex",
			first_name: "Lena",
			last_name: "Moreau",
			email: "lena.moreau@globex.example",
		},
	});
	output.tell(`   POST /v1/leads → lead ${lead.uuid}`);
	await showNext(stage);

	step("Each change is an event, with a number");
	const deal = await client.createDeal({
		body: { lead_uuid: lead.uuid, deal_value: 12_500 },
	});
	output.tell(`   POST /v1/deals → deal ${deal.uuid}`);
	await showNext(stage);
	const note = await client.createLeadNote({
		params: { uuid: lead.uuid },
		body: { content: "Asked for a demo." },
	});
	output.tell(`   POST /v1/leads/{uuid}/notes → note ${note.uuid}`);
	await showNext(stage);

	step("A copy is recognised: your handler runs once");
	output.tell("   The first request comes once more, byte for byte");
	await receiver.repeatFirst();
	if ((await showNext(stage)).outcome !== "duplicate")
		throw new CommandError("the duplicate was not recognised");

	step("A receiver that is down loses nothing, and you can read why it waits");
	receiver.setFailing(true);
	await client.updateLead({
		params: { uuid: lead.uuid },
		body: { status: "qualified" },
	});
	output.tell("   The receiver answers 500, and the lead is changed");
	const failed = await showWaiting(stage, id, "pending");
	receiver.setFailing(false);
	output.tell("   The receiver is up again; the retry comes by itself");
	await showNext(stage);

	step("A paused integration holds its events, and sends them in order");
	const params = { integration_id: id };
	await client.pauseIntegration({ params, body: { reason: "CRM upgrade" } });
	for (const deal_value of [15_000, 17_500])
		await client.updateDeal({
			params: { uuid: deal.uuid },
			body: { deal_value },
		});
	output.tell("   It is paused, and the deal is changed twice");
	await showWaiting(stage, id, "held");
	await client.resumeIntegration({ params, body: {} });
	output.tell("   It is resumed");
	const [first, second] = [await showNext(stage), await showNext(stage)];
	if (Number(first.sequence) > Number(second.sequence))
		throw new CommandError("the held events came out of order");

	step("The ledger accounts for every event");
	await showLedger(stage, id);
	return { integrationId: id, retriedId: failed.uuid };
}

/** Begins numbered steps. The title says what the step proves. */
function createSteps(output: Output): (proves: string) => void {
	let number = 0;
	return (proves) => {
		number++;
		output.say(
			{ event: "step", number, proves },
			`\n${paint.bold(`${number}. ${proves}`)}`,
		);
	};
}

/** Shows the next event that the receiver has verified. */
async function showNext({ receiver, output }: Stage): Promise<Observation> {
	const seen = await withPatience(receiver.next(), "no event arrived");
	if (seen.status !== 200)
		throw new CommandError(`the receiver refused the event: ${seen.reason}`);
	const { outcome, claims, eventId, sequence, jti } = seen;
	const verdict =
		outcome === "duplicate"
			? paint.yellow("duplicate")
			: paint.green("verified");
	output.say(
		{ event: "received", outcome, claims },
		`     ${verdict}  ${eventId}  ${paint.dim(`number ${sequence}, jti ${jti}`)}`,
	);
	return seen;
}

/** Shows why the newest delivery waits, once it is in this state: the sentence that `deliveries show` prints. */
async function showWaiting(
	{ client, output }: Stage,
	integration_id: string,
	status: "pending" | "held",
): Promise<WebhookEventDetail> {
	const look = async () => {
		const [newest] = (
			await client.listWebhookEvents({ query: { integration_id } })
		).data;
		if (!newest) return undefined;
		const found = await client.getWebhookEvent({
			params: { uuid: newest.uuid },
		});
		const isThere =
			found.status === status &&
			(status === "held" || found.attempts.length > 0);
		return isThere ? found : undefined;
	};
	const found = await lookUntil(look, `no delivery was ${status}`);
	const { uuid, event_id, explanation } = found;
	output.say(
		{ event: "waiting", uuid, event_id, status, explanation },
		`     ${paint.yellow(status)}  ${event_id}  ${explanation}`,
	);
	return found;
}

async function showLedger(
	{ client, output }: Stage,
	integrationId: string,
): Promise<void> {
	const entry = await lookUntil(async () => {
		const { data } = await client.getWebhookLedger();
		return data.find(
			({ integration_id, balanced, matched, delivered }) =>
				integration_id === integrationId && balanced && matched === delivered,
		);
	}, "the ledger did not add up");
	const { matched, delivered } = entry;
	output.say(
		{ event: "ledger", ...entry },
		`     ${paint.green("balanced")}  ${matched} events, ${delivered} delivered, ${matched - delivered} missing`,
	);
}

/** Looks again until there is something to return. */
async function lookUntil<Found>(
	look: () => Promise<Found | undefined>,
	otherwise: string,
): Promise<Found> {
	const endsAtMs = performance.now() + PATIENCE_MS;
	for (;;) {
		const found = await look();
		if (found !== undefined) return found;
		if (performance.now() > endsAtMs) throw tooLate(otherwise);
		await wait(LOOK_MS);
	}
}

async function withPatience<Result>(
	awaited: Promise<Result>,
	otherwise: string,
): Promise<Result> {
	const ended = new AbortController();
	// Not waited for by a demo that is stopped in the middle.
	const timeout = wait(PATIENCE_MS, null, { signal: ended.signal, ref: false });
	try {
		const result = await Promise.race([awaited, timeout]);
		if (result === null) throw tooLate(otherwise);
		return result;
	} finally {
		ended.abort();
	}
}

const tooLate = (problem: string) =>
	new CommandError(`${problem} within ${PATIENCE_MS / 1000} s`);
