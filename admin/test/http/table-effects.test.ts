import { asc, gt } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import type { Answer } from "#kit/program/client.ts";
import { UNKNOWN_UUID } from "../support/records.ts";
import {
	bodyIn,
	type CallInWorld,
	callIn,
	createTableWorld,
	type Row,
	rows,
	type TableWorld,
} from "../support/table-world.ts";
import { validBodyOf } from "../support/valid-body.ts";

/** The entries that one call left in the audit log and in the outbox. */
interface Effect {
	answer: Answer;
	audit: {
		entity: string;
		action: string;
		actor: string;
		changes: unknown[];
	}[];
	events: { eventId: string; recordUuid: string }[];
}

const writes = rows.filter(({ permission }) => permission === "write");
/** They reach over the network and store nothing: test-webhook.test.ts and integration-care.test.ts have them. */
const ELSEWHERE = ["testIntegration", "probeWebhookUrl"];
/** Works something out, and changes nothing. */
const COMPUTING = ["evaluatePricingCalculator"];
/** Their delivery must have failed, or hold up others: webhook-events.test.ts and core's purge.test.ts have them. */
const OF_DELIVERIES = [
	"redeliverWebhookEvent",
	"skipWebhookEvent",
	"purgeWebhookEvents",
];
const called = writes.filter(
	({ id }) => ![...ELSEWHERE, ...COMPUTING, ...OF_DELIVERIES].includes(id),
);

const NOBODY = {
	uuid: UNKNOWN_UUID,
	subUuid: UNKNOWN_UUID,
	integration_id: UNKNOWN_UUID,
	partnershipId: UNKNOWN_UUID,
};

let api: Api;
let world: TableWorld;
const effects = new Map<string, Effect>();
/** A second time with the same body, which changes nothing any more. */
const repeated = new Map<string, Effect>();

const idOf = (rows: { id: number }[]) => rows.at(-1)?.id ?? 0;

async function watch(call: () => Promise<Answer>): Promise<Effect> {
	const { query, tables } = api.service.store.read;
	const { audit, event } = tables;
	const readAudit = () => query.select().from(audit).orderBy(asc(audit.uuid));
	const readEvents = (after: number) =>
		query
			.select()
			.from(event)
			.where(gt(event.id, after))
			.orderBy(asc(event.id));
	const known = new Set((await readAudit()).map(({ uuid }) => uuid));
	const lastEvent = idOf(await readEvents(0));
	const answer = await call();
	return {
		answer,
		audit: (await readAudit()).filter(({ uuid }) => !known.has(uuid)),
		events: await readEvents(lastEvent),
	};
}

const callWatched: CallInWorld = async (in_, row, members) => {
	const effect = await watch(() => callIn(in_, row, members));
	effects.set(row.id, effect);
	return effect.answer;
};

/** Sub-records go before what they hang on; what is archived is restored; the integration that hears of it all goes last. */
function toOrder({ id, method, path }: Row): number {
	if (path.includes("/integrations/")) return method === "DELETE" ? 9 : 2;
	if (method === "PATCH") return 1;
	if (id.startsWith("restore")) return 6;
	// Publishing brings it back.
	if (id === "archivePricingCalculator") return 2;
	if (id.startsWith("archive")) return 5;
	// Rules are about fields.
	if (id === "deleteCustomField") return 4.5;
	return path.includes("{subUuid}") || !path.endsWith("{uuid}") ? 3 : 4;
}

/** Gives back what the operation before removed: the values of a record are removed in several ways. */
async function restoreValues(row: Row): Promise<void> {
	const [, noun] =
		/^delete(Lead|Deal|Partner)CustomFields?$/.exec(row.id) ?? [];
	const id = noun
		? `set${noun}CustomFields`
		: row.id === "deleteCustomFieldValue" && "createCustomFieldValue";
	const setting = rows.find((other) => other.id === id);
	if (setting) await callIn(world, setting);
}

beforeAll(async () => {
	api = await openApi();
	world = await createTableWorld(api, api.seeded.keys.full, callWatched);
	const others = called.filter(({ id }) => !effects.has(id));
	for (const row of others.sort((a, b) => toOrder(a) - toOrder(b))) {
		api.clock.advance(1000);
		await restoreValues(row);
		await callWatched(world, row);
		if (row.method === "PATCH")
			repeated.set(row.id, await watch(() => callIn(world, row)));
	}
});
afterAll(() => api.close());

const effectOf = ({ id }: Row) => effects.get(id) as Effect;
const emitting = called.filter(({ emits }) => emits.length > 0);
const silent = called.filter(({ emits }) => emits.length === 0);
const patches = called.filter(({ method }) => method === "PATCH");

test.each(called)(
	"A167 $id leaves an audit entry that says what changed",
	(row) => {
		const { audit } = effectOf(row);
		expect(audit).not.toHaveLength(0);
		for (const { actor, changes } of audit) {
			expect(actor).toBe("Mara Lindqvist");
			// It showed a secret, which the log never holds.
			if (row.id === "revealIntegrationSecret") continue;
			expect(changes).not.toHaveLength(0);
		}
	},
);

test.each(emitting)("$id emits what its row says, once per record", (row) => {
	const { events } = effectOf(row);
	const emitted = events.map(({ eventId }) => eventId);
	expect(emitted).toContain(row.emits[0]);
	expect(row.emits).toEqual(expect.arrayContaining(emitted));
	const records = events.map(({ eventId, recordUuid }) => eventId + recordUuid);
	expect(new Set(records).size).toBe(records.length);
});

test.each(silent)("A120 $id emits nothing", (row) => {
	expect(effectOf(row).events).toEqual([]);
});

test.each(patches)("A120 $id that changes nothing leaves nothing", (row) => {
	const { answer, audit, events } = repeated.get(row.id) as Effect;
	expect([audit, events]).toEqual([[], []]);
	expect(answer.body).toEqual(effectOf(row).answer.body);
});

test.each(writes)("A120 $id that is refused leaves nothing", async (row) => {
	const { audit, events } = await watch(() =>
		api.call(row.id, {
			key: api.seeded.keys.read,
			params: NOBODY,
			body: validBodyOf(row),
		}),
	);
	expect([audit, events]).toEqual([[], []]);
});

test.each(writes.filter(({ path }) => path.includes("{")))(
	"$id of a record that is not there leaves nothing",
	async (row) => {
		const { answer, audit, events } = await watch(() =>
			api.call(row.id, { params: NOBODY, body: bodyIn(world, row) }),
		);
		// The records that the test world refers to are gone, so some bodies refer to missing records too.
		expect([400, 404]).toContain(answer.status);
		expect([audit, events]).toEqual([[], []]);
	},
);

test("no secret is in the audit log", async () => {
	const answerOf = (id: string) => effects.get(id)?.answer.body ?? {};
	const { integration_uuid: secret } = answerOf("createIntegration");
	const { key } = answerOf("createApiKey");
	const { query, tables } = api.service.store.read;
	const log = JSON.stringify(await query.select().from(tables.audit));
	for (const hidden of [secret, key]) {
		expect(hidden).toMatch(/./);
		expect(log).not.toContain(hidden);
	}
});
