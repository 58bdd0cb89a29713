import { EVENT_IDS } from "@partnerwire/wire";
import { transform } from "esbuild";
import { describe, expect, test } from "vitest";
import { Fault, toFieldErrors } from "../../web/src/api/fault.ts";
import { toCutover, toCutoverProblem } from "../../web/src/lib/cutover.ts";
import { toDeliveryQuery } from "../../web/src/lib/filters.ts";
import {
	toDuration,
	toRelative,
	toShort,
	toSpan,
} from "../../web/src/lib/format.ts";
import { toHealth } from "../../web/src/lib/health.ts";
import { FRAMEWORKS, toReceiverCode } from "../../web/src/lib/receiver-code.ts";
import { toCurl } from "../../web/src/lib/to-curl.ts";
import { toUrlSentence } from "../../web/src/lib/url-problem.ts";

const MINUTE = 60_000;
const NOW = Date.parse("2026-11-28T12:00:00.000Z");
const at = (ms: number) => new Date(NOW + ms).toISOString();

describe("format", () => {
	test.each([
		[0, "just now"],
		[-59_999, "just now"],
		[-MINUTE, "1 minute ago"],
		[-90 * MINUTE, "1 hour ago"],
		[-50 * 60 * MINUTE, "2 days ago"],
		[30_000, "in less than a minute"],
		[5 * MINUTE, "in 5 minutes"],
	])("a time %i ms away is %s", (ms, words) => {
		expect(toRelative(at(ms), NOW)).toBe(words);
	});
	test.each([
		[0, "0 ms"],
		[0.42, "0.4 ms"],
		[38.2, "38 ms"],
		[1234, "1.2 s"],
	])("%f ms is %s", (ms, words) => {
		expect(toDuration(ms)).toBe(words);
	});
	test.each([
		[0.2, "1 second"],
		[5, "5 seconds"],
		[300, "5 minutes"],
		[7200, "2 hours"],
	])("%f s is %s", (seconds, words) => {
		expect(toSpan(seconds)).toBe(words);
	});
	test("a label is cut between characters", () => {
		expect(toShort("😀😀😀", 2)).toBe("😀…");
	});
});

describe("a rotation's cutover", () => {
	const local = (ms: number) =>
		new Date(NOW + ms - new Date(NOW).getTimezoneOffset() * MINUTE)
			.toISOString()
			.slice(0, 19);
	test.each([
		["now", "", null],
		["3600", "", at(60 * MINUTE)],
		["86400", local(-MINUTE), at(24 * 60 * MINUTE)],
		["at", "", null],
		["at", local(MINUTE), at(MINUTE)],
	] as const)("%s with %j is %j, and no mistake", (choice, typed, cutover) => {
		expect(toCutover(choice, typed, NOW)).toBe(cutover);
		expect(toCutoverProblem(choice, typed, NOW)).toBe(undefined);
	});
	test.each([1000, MINUTE, 5 * 365 * 24 * 60 * MINUTE])(
		"a time %i ms ago is a mistake",
		(ms) => {
			expect(toCutoverProblem("at", local(-ms), NOW)).toContain("past");
		},
	);
});

describe("health", () => {
	const health = {
		delivered_24h: 0,
		failed_24h: 0,
		held: 0,
		pending: 0,
		given_up: 0,
		hours: [],
		last_success_at: null,
		last_failure_at: null,
		last_error: null,
	};
	const active = { status: "active" as const, pause_reason: null };
	const paused = (pause_reason: string) => ({
		status: "paused" as const,
		pause_reason,
		health,
	});
	const failed = (last_error: string) => ({
		...active,
		health: {
			...health,
			last_failure_at: at(1),
			last_success_at: at(0),
			last_error,
		},
	});
	test.each([
		["new", false, { ...active, health }],
		[
			"healthy",
			false,
			{
				...active,
				health: { ...health, last_success_at: at(1), last_failure_at: at(0) },
			},
		],
		["failing", true, failed("the endpoint answered 500")],
		[
			"refused",
			true,
			failed("the endpoint answered 401: it must answer exactly 200"),
		],
		["paused", false, paused("manual")],
		["auto_paused", true, paused("gone")],
		["auto_paused", true, paused("failing")],
	] as const)("%s", (kind, isAlert, seen) => {
		expect(toHealth(seen)).toMatchObject({ kind, isAlert });
	});
	test.each([
		[0, 0, "Nothing waits to be tried again."],
		[1, 0, "1 delivery waits: it is tried again by itself."],
		[0, 1, "1 delivery was given up: it is not tried again unless"],
		[0, 259, "259 deliveries were given up: they are not tried again unless"],
		[2, 1000, "2 deliveries wait: they are tried again by themselves. 1,000+"],
	])(
		"%i pending and %i given up are told as they are",
		(pending, given_up, said) => {
			for (const error of ["it answered 500", "it answered 401"]) {
				const counts = { ...failed(error).health, pending, given_up };
				const { sentence } = toHealth({ ...active, health: counts });
				expect(sentence).toContain(said);
				expect(/ by (itself|themselves)/.test(sentence)).toBe(pending > 0);
			}
		},
	);
	test("the reason of a pause is said, a missing one is not made up", () => {
		expect(toHealth(paused("upgrade")).sentence).toContain("upgrade");
		expect(toHealth(paused("manual")).sentence).not.toContain("manual");
	});
});

test.each(FRAMEWORKS)(
	"the receiver code for %s is a module with the integration's events",
	async (framework) => {
		const code = toReceiverCode(framework, {
			event_ids: [
				"lead_created",
				"lead_updated",
				"deal_created",
				"message_created",
			],
			configuration: [
				{
					id: "lead_integration_settings",
					selected: [{ id: "unique_field_lead", value: "email" }],
				},
			],
			webhook_url: "https://crm.example.com/hook",
		});
		await expect(
			transform(code, { loader: "ts", format: "esm" }),
		).resolves.toBeDefined();
		for (const part of [
			"lead_updated",
			"deal_created",
			"uniqueKey",
			"process.env.PARTNERWIRE_WEBHOOK_SECRET",
		])
			expect(code).toContain(part);
		expect(code).not.toContain("partner_created");
	},
);

test("a curl command holds the body as one word of the shell, and no token", () => {
	const curl = toCurl({
		url: "https://a.example/it's",
		body: `{"a":"it's $(rm)"}`,
	});
	expect(curl).toContain(`'{"a":"it'\\''s $(rm)"}'`);
	expect(curl).toContain("$WEBHOOK_TOKEN");
});

test("an address that means nothing filters nothing", () => {
	const none = { status: "", event: "", record: "", since: "", until: "" };
	expect(
		toDeliveryQuery({
			...none,
			status: "constructor",
			event: "x",
			record: "1",
			since: "soon",
		}),
	).toEqual({});
	expect(
		toDeliveryQuery({ ...none, status: "held", event: EVENT_IDS[0] ?? "" }),
	).toEqual({ status: "held", event_id: EVENT_IDS[0] });
});

test("a refused body is told by member; a refused URL by what to do", () => {
	const details = [
		{
			field: "body/webhook_url",
			reason: "invalid_value",
			message: "must be an https URL",
		},
	];
	const errors = toFieldErrors(new Fault("validation_error", "", { details }));
	expect(errors).toEqual({ webhook_url: "must be an https URL" });
	expect(toUrlSentence(errors.webhook_url ?? "")).toMatch(/^Use https/);
	expect(toUrlSentence("must not lead to a private address")).toContain(
		"a private address",
	);
	expect(toUrlSentence("something new")).toBe("something new");
});
