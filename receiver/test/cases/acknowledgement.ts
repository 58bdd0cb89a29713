import { PermanentFailure } from "@partnerwire/receiver";
import { expect } from "vitest";
import { tok } from "#kit/endpoints/tokens.ts";
import { type Case, createGate, expectOk, expectRefusal } from "./case.ts";

const bearer = (more: object) => ({ authorization: `Bearer ${tok(more)}` });
const SECRET_WORDS = "db password hunter2";

/** Cases G: the deadline and failures. */
export const ACKNOWLEDGEMENT_CASES: readonly Case[] = [
	{
		id: "G01",
		title: "past the deadline: 503 with Retry-After, and the signal is aborted",
		options: { deadlineMs: 20 },
		async run(world) {
			const aborted = createGate();
			world.work = ({ signal }) =>
				new Promise((_, reject) => {
					signal.addEventListener("abort", () => {
						aborted.open();
						reject(signal.reason);
					});
				});
			expectRefusal(await world.send(), "DEADLINE");
			await aborted.opened;
			expect(world.runs[0]?.signal.reason).toMatchObject({
				name: "TimeoutError",
			});
			expect(world.seen[0]?.outcome).toBe("timeout");
			expect(world.log.length).toBe(1);
			// The claim stays until its lease ends, also if the handler gave up.
			expectRefusal(await world.send(), "IN_PROGRESS");
			expect(world.runs.length).toBe(1);
		},
	},
	{
		id: "G01 late success",
		title: "work that succeeds after the deadline is not done twice",
		options: { deadlineMs: 20 },
		async run(world) {
			const gate = createGate();
			world.work = () => gate.opened;
			expectRefusal(await world.send(), "DEADLINE");
			gate.open();
			expectOk(await world.send(), { duplicate: true });
			expect(world.runs.length).toBe(1);
		},
	},
	{
		id: "G03",
		title: "whatever a handler throws is 500, and the retry runs",
		async run(world) {
			const thrown = [new Error("x"), null, undefined, "text", 0, {}];
			for (const each of thrown) {
				world.work = () => {
					throw each;
				};
				expectRefusal(await world.send(), "HANDLER_FAILED");
				world.work = () => Promise.reject(each);
				expectRefusal(await world.send(), "HANDLER_FAILED");
			}
			expect(world.runs.length).toBe(2 * thrown.length);
			expect(world.seen[0]?.outcome).toBe("failed");
		},
	},
	{
		id: "G03 permanent",
		title: "a PermanentFailure is 200, kept as a dead letter, not retried",
		options: (clock) => ({
			onDeadLetter: (failure, context) => {
				letters.set(clock, [failure.message, context.eventId]);
			},
		}),
		async run(world) {
			world.work = () => {
				throw new PermanentFailure("country not served");
			};
			expectOk(await world.send(), { handled: false, dead_letter: true });
			expectOk(await world.send(), { duplicate: true });
			expect(letters.get(world.clock)).toEqual([
				"country not served",
				"deal_updated",
			]);
			expect(world.seen[0]?.outcome).toBe("dead_letter");
			expect(world.runs.length).toBe(1);
		},
	},
	{
		id: "G03 dead letter lost",
		title: "a dead letter that cannot be kept is 500",
		options: {
			onDeadLetter: () => Promise.reject(new Error(SECRET_WORDS)),
		},
		async run(world) {
			world.work = () => {
				throw new PermanentFailure();
			};
			expectRefusal(await world.send(), "HANDLER_FAILED");
			expectRefusal(await world.send(), "HANDLER_FAILED");
		},
	},
	{
		id: "G04",
		title: "no answer and no log holds a handler's message; onError gets it",
		options: (clock) => ({
			onError: (error) => letters.set(clock, error),
		}),
		async run(world) {
			const error = new Error(SECRET_WORDS);
			world.work = () => {
				throw error;
			};
			const answer = await world.send();
			expectRefusal(answer, "HANDLER_FAILED");
			expect(answer.text + world.log.join()).not.toContain("hunter2");
			expect(letters.get(world.clock)).toBe(error);
			const { requestId } = world.seen[0] ?? {};
			expect(answer.text).toContain(requestId);
			expect(world.log.join()).toContain(requestId);
		},
	},
	{
		id: "G13",
		title: "serialize: the events of one record do not overlap",
		options: { serialize: true },
		async run(world) {
			let running = 0;
			let most = 0;
			world.work = async () => {
				most = Math.max(most, ++running);
				await new Promise((resolve) => setImmediate(resolve));
				running--;
			};
			const send = (jti: string, uuid = "d") =>
				world.send({
					...bearer({ jti }),
					body: `{"deal":{"uuid":"${uuid}","label":"${jti}"},"configuration":[]}`,
				});
			for (const answer of await Promise.all(
				["1", "2", "3"].map((jti) => send(jti)),
			))
				expectOk(answer);
			expect(most).toBe(1);
			expect(world.runs.length).toBe(3);
		},
	},
	{
		id: "G16",
		title: "a handler that never settles: 503, and the next event is served",
		options: { deadlineMs: 20 },
		async run(world) {
			world.work = () => new Promise(() => {});
			expectRefusal(await world.send(), "DEADLINE");
			world.work = () => {};
			expectOk(await world.send(bearer({ event_id: "deal_created" })));
		},
	},
];

/** The arguments of a case's callbacks, by the case's world. */
const letters = new WeakMap<object, unknown>();
