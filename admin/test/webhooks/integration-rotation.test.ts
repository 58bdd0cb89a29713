import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { createIntegration } from "../support/records.ts";
import { expectRefused } from "../support/row-counts.ts";

const HOUR_MS = 3_600_000;

let api: Api;
beforeAll(async () => {
	api = await openApi();
});
afterAll(() => api.close());

const inMs = (ms: number) => new Date(api.clock() + ms).toISOString();

/** An integration, and what is done with its secret. */
async function openRotation() {
	const made = await createIntegration(api);
	const params = { integration_id: made.id };
	return {
		made,
		params,
		rotate: (body?: object) =>
			api.call("rotateIntegrationSecret", { params, body }),
		cancel: (init = {}) =>
			api.call("cancelIntegrationRotation", { params, ...init }),
		read: async () => (await api.call("getIntegration", { params })).body,
		/** The secret that signs now and the one that follows it. */
		secrets: async () => {
			const { body } = await api.call("revealIntegrationSecret", { params });
			return [body.integration_uuid, body.next_integration_uuid];
		},
		audited: async (action: string) =>
			(
				await api.request(
					"GET",
					`/v1/audit-log?entity_uuid=${made.id}&action=${action}`,
				)
			).body.data,
	};
}

test.each([
	["a millisecond", 1],
	["the time for which receivers tolerate clocks", 60_000],
	["years", 7 * 365 * 24 * HOUR_MS],
])(
	"a cutover that is past by %s is refused, and the secret stays",
	async (_, ms) => {
		const { made, rotate, read, secrets } = await openRotation();
		const before = await read();
		for (const replace of [undefined, true])
			await expectRefused(
				api,
				() => rotate({ cutover_at: inMs(-ms), replace }),
				/^body\/cutover_at: .* is past: .*leave it out/,
			);
		expect(await read()).toEqual(before);
		expect(await secrets()).toEqual([made.integration_uuid, null]);
	},
);

test("without a cutover, and with one at this very moment, the new secret signs at once", async () => {
	const { rotate, secrets } = await openRotation();
	for (const body of [undefined, {}, { cutover_at: inMs(0) }]) {
		const { status, body: rotated } = await rotate(body);
		expect([status, rotated.secret_cutover_at]).toEqual([200, null]);
		expect(await secrets()).toEqual([rotated.integration_uuid, null]);
	}
});

test("a planned rotation is not planned over by accident: the secret that receivers have stays the next one", async () => {
	const { made, rotate, read, secrets } = await openRotation();
	const planned = (await rotate({ cutover_at: inMs(HOUR_MS) })).body;
	const before = await read();
	for (const body of [
		undefined,
		{ replace: false },
		{ cutover_at: inMs(2 * HOUR_MS) },
		{ cutover_at: before.secret_cutover_at },
	]) {
		const refused = await rotate(body);
		expect([refused.status, refused.body.error.code]).toEqual([
			409,
			"conflict",
		]);
		expect(refused.body.error.message).toContain(before.secret_cutover_at);
		expect(refused.body.error.message).toContain("replace: true");
	}
	expect(await read()).toEqual(before);
	expect(await secrets()).toEqual([
		made.integration_uuid,
		planned.integration_uuid,
	]);

	const replaced = (await rotate({ cutover_at: inMs(3), replace: true })).body;
	expect(await secrets()).toEqual([
		made.integration_uuid,
		replaced.integration_uuid,
	]);
	const atOnce = (await rotate({ replace: true })).body;
	expect(await secrets()).toEqual([atOnce.integration_uuid, null]);
	// Nothing is planned any more, nor once a cutover has passed.
	await rotate({ cutover_at: inMs(HOUR_MS) });
	api.clock.advance(HOUR_MS);
	expect((await rotate()).status).toBe(200);
});

test("of rotations that are planned at the same time, one wins", async () => {
	const { made, rotate, secrets } = await openRotation();
	const cutover_at = inMs(HOUR_MS);
	const answers = await Promise.all(
		Array.from({ length: 8 }, () => rotate({ cutover_at })),
	);
	const won = answers.filter(({ status }) => status === 200);
	expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
	expect(await secrets()).toEqual([
		made.integration_uuid,
		won[0]?.body.integration_uuid,
	]);
});

test("a planned rotation is cancelled: the old secret goes on, and the audit log says who did", async () => {
	const { made, rotate, cancel, read, secrets, audited } = await openRotation();
	const cutover_at = inMs(HOUR_MS);
	await rotate({ cutover_at });
	const { status, body } = await cancel();
	expect([status, body.secret_cutover_at]).toEqual([200, null]);
	expect(body).toEqual(await read());
	expect(await audited("rotation_cancelled")).toMatchObject([
		{
			actor: "Mara Lindqvist",
			changes: [{ field: "secret_cutover_at", old: cutover_at, new: null }],
		},
	]);
	api.clock.advance(2 * HOUR_MS);
	expect(await secrets()).toEqual([made.integration_uuid, null]);
	expect((await rotate({ cutover_at: inMs(HOUR_MS) })).status).toBe(200);
});

test("a cancellation with nothing to cancel changes nothing: not before a rotation, not after its cutover", async () => {
	const { rotate, cancel, read, secrets, audited } = await openRotation();
	const before = await read();
	expect((await cancel()).body).toEqual(before);
	const { body } = await rotate({ cutover_at: inMs(HOUR_MS) });
	api.clock.advance(HOUR_MS);
	expect((await cancel()).status).toBe(200);
	expect(await secrets()).toEqual([body.integration_uuid, null]);
	expect(await audited("rotation_cancelled")).toEqual([]);
});

test("only a writer of the same company cancels", async () => {
	const { rotate, cancel, read } = await openRotation();
	await rotate({ cutover_at: inMs(HOUR_MS) });
	const before = await read();
	const stranger = (await api.addCompany()).keys.full;
	expect((await cancel({ key: api.seeded.keys.read })).status).toBe(403);
	expect((await cancel({ key: stranger })).status).toBe(404);
	expect(await read()).toEqual(before);
});
