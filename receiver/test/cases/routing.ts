import { PermanentFailure } from "@partnerwire/receiver";
import { expect } from "vitest";
import { BODY, NOW_S, tok } from "#kit/endpoints/tokens.ts";
import { type Case, expectOk, expectRefusal, UNHANDLED } from "./case.ts";

const bearer = (more: object) => ({ authorization: `Bearer ${tok(more)}` });
const METHODS = ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Cases G: which events and requests are accepted, and what is reported about them. */
export const ROUTING_CASES: readonly Case[] = [
	{
		id: "G06",
		title: "an event id that nobody knows is 200, handled: false",
		options: (clock) => ({
			onUnhandled: (event) => letters.set(clock, event),
		}),
		async run({ send, runs, clock, seen }) {
			for (const event_id of ["deal_merged", "__proto__", "constructor", "*"]) {
				expectOk(await send(bearer({ event_id })), UNHANDLED);
				expect(letters.get(clock)).toMatchObject({
					eventId: event_id,
					body: JSON.parse(BODY),
				});
			}
			expectOk(
				await send({ ...bearer({ event_id: "room_created" }), body: "{}" }),
				UNHANDLED,
			);
			expect(seen[0]?.outcome).toBe("unhandled");
			expect(runs.length).toBe(0);
		},
	},
	{
		id: "G06 shape",
		title: "lead, deal and partner events need their key; others take any one",
		async run({ send, runs }) {
			const bodies = [
				'{"configuration":[]}',
				'{"lead":{"uuid":"x"},"configuration":[]}',
				'{"deal":null,"configuration":[]}',
				'{"deal":[],"configuration":[]}',
				'{"deal":"x","configuration":[]}',
				'{"deal":{"uuid":"x"},"configuration":{}}',
				"{}",
			];
			for (const body of bodies)
				expectRefusal(await send({ body }), "INVALID_SHAPE");
			const event = (event_id: string, body: string) =>
				send({ ...bearer({ event_id }), body });
			for (const [id, key] of [
				["lead_note_created", "note"],
				["deal_note_deleted", "anything"],
				["partner_contact_created", "partner_contact"],
				["message_created", "message"],
			] as const)
				expectOk(await event(id, `{"${key}":{"uuid":"x"},"configuration":[]}`));
			expect(runs.map((run) => run.note ?? run.contact ?? run.message)).toEqual(
				Array(4).fill({ uuid: "x" }),
			);
			for (const body of [
				'{"configuration":[]}',
				'{"a":{},"b":{},"configuration":[]}',
			])
				expectRefusal(await event("message_created", body), "INVALID_SHAPE");
		},
	},
	{
		id: "G07",
		title: "a payload that drifted from the spec runs, with its issues listed",
		async run({ send, runs }) {
			const body =
				'{"deal":{"uuid":7,"extra":true},"configuration":[{"id":1}],"more":{}}';
			expectOk(await send({ body }));
			expect(runs[0]?.issues).toEqual([
				"deal.uuid is not a string",
				"deal.label is missing",
				"configuration[0] is not {id, selected}",
			]);
			expectOk(await send({ body: '{"deal":{"uuid":"d","label":"l"}}' }));
			expect(runs[1]?.issues).toEqual(["configuration is missing"]);
		},
	},
	{
		id: "G07 strict",
		title: "schema: strict makes it 400",
		options: { schema: "strict" },
		async run({ send }) {
			expectOk(await send());
			expectRefusal(
				await send({ body: '{"deal":{"uuid":"d"},"configuration":[]}' }),
				"INVALID_SHAPE",
			);
		},
	},
	{
		id: "G08",
		title: "every success is exactly 200",
		async run(world) {
			const statuses = [
				await world.send(),
				await world.send(),
				await world.send(bearer({ event_id: "unknown" })),
			].map((answer) => answer.status);
			world.work = () => {
				throw new PermanentFailure();
			};
			statuses.push(
				(await world.send(bearer({ event_id: "deal_created" }))).status,
			);
			expect(statuses).toEqual([200, 200, 200, 200]);
		},
	},
	{
		id: "G09",
		title: "a trailing slash is no redirect and no 404",
		async run({ send }) {
			expectOk(await send({ path: "/hook/" }));
			expectOk(await send({ path: "/hook" }), { duplicate: true });
			expectOk(await send({ path: "/hook/?a=b" }), { duplicate: true });
		},
	},
	{
		id: "G11",
		title: "other methods are 405 with Allow, with and without a token",
		async run({ send, runs }) {
			for (const method of METHODS)
				for (const more of [{}, { authorization: null }]) {
					const answer = await send({ method, ...more });
					expect(answer.status, method).toBe(405);
					expect(answer.headers.allow).toBe("POST");
					expect(answer.headers["www-authenticate"]).toBeUndefined();
					if (method !== "HEAD")
						expect(answer.json.error?.code).toBe("METHOD_NOT_ALLOWED");
				}
			expect(runs.length).toBe(0);
		},
	},
	{
		id: "G11 probe",
		title: "probe answers GET, HEAD and OPTIONS with 204",
		options: { probe: true },
		async run({ send }) {
			for (const method of METHODS) {
				const { status } = await send({ method, authorization: null });
				const isProbe = ["GET", "HEAD", "OPTIONS"].includes(method);
				expect(status, method).toBe(isProbe ? 204 : 405);
			}
		},
	},
	{
		id: "G12",
		title: "stale follows the sequence claim, never iat",
		async run({ send, runs }) {
			const event = (more: object, label: string, uuid = "d") =>
				send({
					...bearer(more),
					body: `{"deal":{"uuid":"${uuid}","label":"${label}","updated_at":"${label}"},"configuration":[]}`,
				});
			await event({ jti: "1", sequence: 100, iat: NOW_S }, "a");
			await event({ jti: "2", sequence: 90, iat: NOW_S + 9 }, "b");
			await event({ jti: "3", sequence: 101, iat: NOW_S - 9 }, "c");
			await event({ jti: "4", iat: NOW_S - 20 }, "d");
			await event({ jti: "5", sequence: 1 }, "e", "another");
			expect(runs.map((run) => run.stale)).toEqual([
				false,
				true,
				false,
				false,
				false,
			]);
			expect(runs.map((run) => run.sequence)).toEqual([
				100,
				90,
				101,
				undefined,
				1,
			]);
			expect(runs[0]?.issuedAt.getTime()).toBe(NOW_S * 1000);
		},
	},
	{
		id: "G18",
		title: "an event without a handler is 200",
		async run({ send }) {
			expectOk(await send(bearer({ event_id: "task_created" })), UNHANDLED);
		},
	},
];

/** The arguments of a case's callbacks, by the case's world. */
const letters = new WeakMap<object, unknown>();
