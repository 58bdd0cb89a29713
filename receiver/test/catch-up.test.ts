import { createHash } from "node:crypto";
import { createReceiver } from "@partnerwire/receiver";
import {
	type CatchUpOptions,
	catchUp,
	type Feed,
	type FeedItem,
	type FeedQuery,
	trackSequence,
} from "@partnerwire/receiver/catch-up";
import {
	createTestBody,
	createTestClock,
	signTestToken,
	TEST_SECRET,
} from "@partnerwire/receiver/testing";
import { expect, test } from "vitest";

const INTEGRATION = "0197a4a0-0000-7000-8000-0000000000b1";
const uuidOf = (sequence: number) =>
	`0197a4a0-0000-7000-8000-${String(sequence).padStart(12, "0")}`;

interface Feeding {
	omitted?: Record<number, string>;
	purged?: number[];
	newest?: number;
	tokens?: boolean;
	lifetimeS?: number;
}

/** A receiver that records the events that it handles, and a feed of `newest` deliveries for it. */
function openWorld({
	newest = 6,
	omitted = {},
	purged = [],
	tokens = true,
	lifetimeS = 60,
}: Feeding = {}) {
	const clock = createTestClock();
	const ran: number[] = [];
	const queries: FeedQuery[] = [];
	let work: (sequence: number) => unknown = () => {};
	const sequence = trackSequence({ from: 0, clock: clock.now });
	const receiver = createReceiver({
		secret: TEST_SECRET,
		clock: clock.now,
		log: () => {},
		onError: () => {},
		onVerdict: sequence.observe,
	}).on("*", async (event) => {
		await work(event.sequence ?? 0);
		ran.push(event.sequence ?? 0);
	});

	async function toItem(number: number): Promise<FeedItem> {
		const common = {
			sequence: number,
			uuid: uuidOf(number),
			event_id: "lead_created",
		};
		const reason = omitted[number];
		if (reason) return { ...common, omitted: reason, body: null, token: null };
		const body = JSON.stringify({ ...createTestBody("lead_created"), number });
		const iat = Math.floor(clock.now() / 1000);
		const token = await signTestToken({
			company_uuid: INTEGRATION,
			user_uuid: INTEGRATION,
			event_id: "lead_created",
			iat,
			exp: iat + lifetimeS,
			jti: common.uuid,
			payload_sha256: createHash("sha256").update(body).digest("base64url"),
			sequence: number,
		});
		return { ...common, omitted: null, body, token: tokens ? token : null };
	}

	async function getWebhookFeed({
		query,
	}: {
		query: FeedQuery;
	}): Promise<Feed> {
		queries.push(query);
		const numbers = Array.from({ length: newest }, (_, at) => at + 1).filter(
			(number) => number > query.after_sequence,
		);
		const covered = numbers.slice(0, query.limit);
		return {
			to_sequence: covered.at(-1) ?? query.after_sequence,
			newest_sequence: newest,
			data: await Promise.all(
				covered.filter((number) => !purged.includes(number)).map(toItem),
			),
			purged: covered
				.filter((number) => purged.includes(number))
				.map((number) => ({ from_sequence: number, to_sequence: number })),
		};
	}

	return {
		clock,
		receiver,
		ran,
		queries,
		sequence,
		toItem,
		getWebhookFeed,
		work(next: typeof work) {
			work = next;
		},
		run: (options: Partial<CatchUpOptions> = {}) =>
			catchUp({
				receiver,
				client: { getWebhookFeed },
				integrationId: INTEGRATION,
				from: 0,
				...options,
			}),
	};
}

test("everything runs once, in order, over any number of pages; a second time nothing does", async () => {
	const world = openWorld();
	expect(await world.run({ limit: 2 })).toEqual({
		last: 6,
		complete: true,
		handled: 6,
		duplicates: 0,
		omitted: [],
		purged: [],
		failed: null,
	});
	expect(world.ran).toEqual([1, 2, 3, 4, 5, 6]);
	expect(world.queries.map((query) => query.after_sequence)).toEqual([0, 2, 4]);
	expect(await world.run()).toMatchObject({ handled: 0, duplicates: 6 });
	expect(world.ran).toHaveLength(6);
	expect(await world.run({ from: 6 })).toMatchObject({
		complete: true,
		duplicates: 0,
	});
});

test("it ends before a failing delivery, says which, and goes on from there later", async () => {
	const world = openWorld();
	world.work((number) => {
		if (number === 3) throw new Error("the CRM is down");
	});
	const first = await world.run({ limit: 2 });
	expect(first).toMatchObject({ last: 2, complete: false, handled: 2 });
	expect(first.failed).toEqual({
		sequence: 3,
		eventId: "lead_created",
		uuid: uuidOf(3),
		status: 500,
		reason: "HANDLER_FAILED",
	});
	world.work(() => {});
	expect(await world.run({ from: first.last })).toMatchObject({
		last: 6,
		complete: true,
		failed: null,
	});
	expect(world.ran).toEqual([1, 2, 3, 4, 5, 6]);
});

test("what was dropped or purged is reported, and not waited for", async () => {
	const world = openWorld({
		omitted: { 2: "dropped by hand" },
		purged: [3, 6],
	});
	const result = await world.run({ limit: 4, sequence: world.sequence });
	expect(result).toMatchObject({
		last: 6,
		complete: true,
		handled: 3,
		omitted: [{ sequence: 2, reason: "dropped by hand" }],
		purged: [
			{ from: 3, to: 3 },
			{ from: 6, to: 6 },
		],
	});
	expect(world.sequence.position()).toBe(6);
});

test("without `from` it goes on where the tracker is", async () => {
	const world = openWorld();
	world.sequence.settle(1, 4);
	await world.run({ from: undefined, sequence: world.sequence });
	expect(world.ran).toEqual([5, 6]);
});

test("a token that expired while others were handled is asked for again", async () => {
	const world = openWorld();
	world.work(() => world.clock.advance(25_000));
	expect(await world.run()).toMatchObject({ complete: true, handled: 6 });
	expect(world.ran).toEqual([1, 2, 3, 4, 5, 6]);
	expect(world.queries.map((query) => query.after_sequence)).toEqual([0, 3]);
});

test("tokens that are expired at once are a failure, not a loop", async () => {
	const world = openWorld({ lifetimeS: -1 });
	const result = await world.run();
	expect(result.failed).toMatchObject({ sequence: 1, status: 401 });
	expect(world.queries).toHaveLength(1);
});

test("an abort ends it between two deliveries", async () => {
	const world = openWorld();
	const controller = new AbortController();
	world.work((number) => {
		if (number === 2) controller.abort();
	});
	expect(await world.run({ signal: controller.signal })).toMatchObject({
		last: 2,
		complete: false,
		failed: null,
	});
});

test("a key without write permission is refused in words, before any handler runs", async () => {
	const world = openWorld({ tokens: false });
	await expect(world.run()).rejects.toThrow(
		/delivery 1 has no token: the API key needs the read and the write permission/,
	);
	expect(world.ran).toEqual([]);
});

test.each([undefined, -1, 1.5, Number.NaN])(
	"from: %s is refused",
	async (from) => {
		await expect(openWorld().run({ from })).rejects.toThrow(/from must be/);
	},
);

test("a function that fetches the path is a client too", async () => {
	const world = openWorld();
	const paths: string[] = [];
	const client = async (path: string) => {
		paths.push(path);
		const query = new URL(path, "http://x").searchParams;
		return Response.json(
			await world.getWebhookFeed({
				query: {
					integration_id: query.get("integration_id") ?? "",
					after_sequence: Number(query.get("after_sequence")),
					limit: Number(query.get("limit")),
				},
			}),
		);
	};
	expect(await world.run({ client })).toMatchObject({ handled: 6 });
	expect(paths).toEqual([
		`/v1/webhook-events/feed?integration_id=${INTEGRATION}&after_sequence=0&limit=25`,
	]);
	const refused = async () => new Response(null, { status: 403 });
	await expect(world.run({ client: refused })).rejects.toThrow(/answered 403/);
});

test("a feed that stands still is an error, not a loop", async () => {
	const world = openWorld();
	const client = {
		getWebhookFeed: async (): Promise<Feed> => ({
			to_sequence: 0,
			newest_sequence: 3,
			data: [],
			purged: [],
		}),
	};
	await expect(world.run({ client })).rejects.toThrow(/does not go on after 0/);
});
