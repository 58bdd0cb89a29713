import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Observation } from "@partnerwire/receiver";
import { TEST_SECRET } from "@partnerwire/receiver/testing";
import { EVENT_IDS } from "@partnerwire/wire";
import { type CommandDef, runCommand } from "citty";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { loadCommands } from "../../admin/src/cli/commands.ts";
import { createArrivals } from "../../admin/src/cli/listen/arrivals.ts";
import {
	showArrival,
	showForward,
} from "../../admin/src/cli/listen/show-arrival.ts";
import { openVerifiedReceiver } from "../kit/endpoints/verified-receiver.ts";
import { startPartnerwire } from "../kit/program/partnerwire.ts";

afterEach(() => vi.restoreAllMocks());

const trigger = (await loadCommands()).find(
	({ words }) => words.join() === "trigger",
)?.command as CommandDef;

/** Runs `trigger` in this process, and returns its lines. */
async function sendEvent(
	event: string,
	url: string,
	said: string[],
	...args: string[]
) {
	let printed = "";
	vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
		said.push(String(chunk));
		return true;
	});
	vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
		printed += String(chunk);
		return true;
	});
	const rawArgs = [event, "--url", url, "--secret", TEST_SECRET, ...args];
	await runCommand(trigger, { rawArgs }).finally(() => vi.restoreAllMocks());
	return printed;
}

test.each(EVENT_IDS)(
	"trigger %s with --set arrives, verified",
	async (event) => {
		const receiver = await openVerifiedReceiver();
		receiver.useSecret(TEST_SECRET);
		const key = Object.keys(
			(await import(`../../fixtures/events/${event}.json`)).default,
		)[0];
		const uuid = "0197a4a0-0000-7000-8000-0000000000ff";
		const args = ["--set", `${key}.uuid=${uuid}`, "--exact"];
		const printed = await sendEvent(event, receiver.url, [], ...args, "--json");
		expect(JSON.parse(printed)).toMatchObject({ event, delivered: true });
		expect(receiver.arrived).toMatchObject([
			{ status: 200, eventId: event, entity: { key, uuid } },
		]);
	},
);

/** A receiver with settable answers that records its requests. */
async function openTarget() {
	const came: string[] = [];
	let status = 200;
	const server = createServer((request, response) => {
		request.resume().on("end", () => {
			came.push(request.headers.authorization ?? "");
			response.writeHead(status).end("said by the target \u001b[2J");
		});
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	const close = () => {
		server.closeAllConnections();
		return server.close();
	};
	onTestFinished(() => void close());
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/webhooks`,
		came,
		answerWith: (next: number) => {
			status = next;
		},
		close,
	};
}

test("--set has the last word, also over a new record's uuid; what the example does not have is warned of", async () => {
	const receiver = await openVerifiedReceiver();
	receiver.useSecret(TEST_SECRET);
	const uuid = "0197a4a0-0000-7000-8000-0000000000ff";
	const said: string[] = [];
	const args = [
		"--set",
		`lead.uuid=${uuid}`,
		"--set",
		"lead.emial=x",
		"--json",
	];
	await sendEvent("lead_created", receiver.url, said, ...args);
	expect(receiver.arrived).toMatchObject([{ entity: { key: "lead", uuid } }]);
	expect(said.map((line) => JSON.parse(line))).toEqual([
		{ event: "warning", message: expect.stringContaining("no lead.emial") },
	]);
});

test.each([
	[
		"deal.label=x",
		/the payload has no deal; did you mean lead\?|known: lead, configuration/,
	],
	["__proto__.x=1", /the payload has no __proto__/],
	["configuration.foo=1", /must end in an index/],
	["configuration.length=1", /must end in an index/],
	["configuration.-1=1", /must end in an index/],
	["configuration.900=1", /must end in an index/],
	["lead.nobody.name=x", /has no nobody/],
])("--set %s is refused before anything is sent", async (assignment, says) => {
	await expect(
		sendEvent("lead_created", "http://127.0.0.1:9", [], "--set", assignment),
	).rejects.toThrow(says);
});

test("an event is sent again by its number, and the forward target's answer is shown, also when it is gone", async () => {
	const target = await openTarget();
	const listen = startPartnerwire(
		[
			...["listen", "--secret", TEST_SECRET, "--port", "0", "--json"],
			...["--interactive", "--forward", target.url],
		],
		{ stdin: "pipe" },
	);
	const url = String((await listen.line("ready")).url);
	await sendEvent("lead_created", url, []);
	expect(await listen.line("received")).toMatchObject({
		number: 1,
		status: 200,
	});
	expect(await listen.line("forwarded")).toMatchObject({
		number: 1,
		status: 200,
		body: "said by the target \u001b[2J",
	});
	const type = (text: string) => listen.child.stdin?.write(`${text}\n`);
	target.answerWith(500);
	type("1");
	expect(await listen.line("received")).toMatchObject({
		number: 2,
		replay_of: 1,
		status: 200,
	});
	expect(await listen.line("forwarded")).toMatchObject({ status: 500 });
	expect(target.came[1]).toBe(target.came[0]);
	type("7");
	expect((await listen.line("told")).text).toBe(
		"there is no event #7 to send again",
	);
	type("l");
	expect((await listen.line("told")).text).toBe("there are 1, 2");
	type("what");
	expect((await listen.line("told")).text).toContain("type a number");
	await target.close();
	type("#2");
	expect(await listen.line("forwarded")).toMatchObject({
		status: null,
		// The second, if the kept connection turns out to be closed only when it is used.
		error: expect.stringMatching(/^(ECONNREFUSED|UND_ERR_SOCKET|ECONNRESET)$/),
	});
	await expect(sendEvent("deal_created", url, [])).rejects.toThrow(
		"not delivered",
	);
	expect(await listen.stop("SIGINT")).toBe(0);
});

describe("the live view", () => {
	const request = (body: unknown) => ({
		url: "http://127.0.0.1/hook",
		method: "POST",
		headers: new Headers(),
		body: new TextEncoder().encode(JSON.stringify(body)).buffer as ArrayBuffer,
	});
	const at = new Date(2026, 10, 27, 14, 3, 22);
	const seen: Observation = {
		status: 200,
		outcome: "handled",
		eventId: "lead_created",
		entity: { key: "lead", uuid: "0197a4a0" },
		durationMs: 4,
	};
	const lead = { company_name: "Initech", email: "ada@b.example", age: 3 };

	test("says when, which number, the verdict, and of what record", () => {
		const arrivals = createArrivals();
		const first = arrivals.add(request({ lead, configuration: [] }));
		expect(showArrival(first, seen, at)).toBe(
			"14:03:22  #1  200 handled  lead_created  lead 0197a4a0\n          company_name Initech  email ada@b.example",
		);
		const repeated = arrivals.add(first.request, 1);
		const copy = { ...seen, outcome: "duplicate" as const, conflict: true };
		expect(showArrival(repeated, copy, at)).toContain(
			"#2 again #1  200 duplicate",
		);
		expect(showArrival(repeated, copy, at)).toContain("with another payload");
	});

	test("shows nothing of what nobody signed, and lets nobody speak to the terminal", () => {
		const evil = "\u001b[2J\u0007\r\n";
		const arrival = createArrivals().add(
			request({ lead: { company_name: evil + "x".repeat(500) } }),
		);
		const shown = showArrival(
			arrival,
			{ ...seen, eventId: evil, entity: { key: "lead", uuid: evil } },
			at,
		);
		const forwarded = showForward(`http://x/${evil}`, {
			status: 500,
			error: null,
			body: evil,
			durationMs: 1,
		});
		const gone = { status: null, error: evil, body: "", durationMs: 1 };
		for (const text of [shown, forwarded, showForward("http://x", gone)])
			expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
		expect(shown.length).toBeLessThan(400);
		const rejected = { ...seen, status: 401, outcome: "rejected" as const };
		expect(showArrival(arrival, rejected, at)).not.toContain("company_name");
		expect(showForward("http://x", gone)).toContain("the sender got 502");
	});

	test("keeps the newest 200 for a replay", () => {
		const arrivals = createArrivals();
		for (let i = 0; i < 250; i++) arrivals.keep(arrivals.add(request({})));
		expect(arrivals.numbers()).toHaveLength(200);
		expect([arrivals.get(50), arrivals.get(51)?.number]).toEqual([
			undefined,
			51,
		]);
	});

	test("keeps no more than 16 MiB, and nothing that nobody vouches for", () => {
		const arrivals = createArrivals();
		const body = new ArrayBuffer(1024 * 1024);
		for (let i = 0; i < 40; i++)
			arrivals.keep(arrivals.add({ ...request({}), body }));
		expect(arrivals.numbers()).toHaveLength(16);
		expect(arrivals.numbers().at(-1)).toBe(40);
		arrivals.add(request({}));
		expect(arrivals.numbers()).not.toContain(41);
	});
});
