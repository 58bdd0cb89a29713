import { describe, expect, test } from "vitest";
import { createFakeWire, toResult } from "#kit/endpoints/fake-wire.ts";
import {
	buildClaims,
	createDispatcher,
	createWire,
	openProbe,
	type SendOptions,
	send,
	sendWithRetry,
	type WireOptions,
} from "../src/index.ts";
import { SECRET } from "./support/wires.ts";

const base = {
	url: "https://receiver.example/hook",
	secret: SECRET,
	event: "lead_created",
	entity: {} as SendOptions<"lead_created">["entity"],
	companyUuid: "01934f2a-7c00-7b3e-8a11-5e0c4d2f9b01",
	userUuid: "01934f2a-7c01-7c44-9b52-0d7e6a1f3c02",
} as const satisfies SendOptions<"lead_created">;

const LIFETIMES = [
	Number.NaN,
	-1,
	0,
	1.5,
	Number.POSITIVE_INFINITY,
	"60",
	null,
];
const EVENTS = ["", "lead", "lead_exploded", "LEAD_CREATED", "toString"];
const ENTITIES = [undefined, null, "lead", 7, true, [], () => {}];

const wrongSends: [string, unknown][] = [
	...LIFETIMES.map((value): [string, unknown] => ["tokenLifetimeS", value]),
	...[...EVENTS, undefined, null, 7].map((value): [string, unknown] => [
		"event",
		value,
	]),
	...ENTITIES.map((value): [string, unknown] => ["entity", value]),
	...[null, "x", {}].map((value): [string, unknown] => [
		"configuration",
		value,
	]),
];

test.each(wrongSends)(
	"%s %j is refused, and nothing is sent",
	async (name, value) => {
		const wire = createFakeWire(() => toResult(200, 0));
		const options = { ...base, wire, [name]: value } as SendOptions;
		const refused = { name: "TypeError", message: expect.stringMatching(name) };
		await expect(send(options)).rejects.toMatchObject(refused);
		await expect(sendWithRetry(options)).rejects.toMatchObject(refused);
		expect(wire.arrivals).toEqual([]);
	},
);

test.each(LIFETIMES.slice(0, -1))(
	"tokenLifetimeS %j is refused by a dispatcher and of claims too",
	(value) => {
		const tokenLifetimeS = value as number;
		const wire = createFakeWire(() => toResult(200, 0));
		expect(() => createDispatcher({ ...base, wire, tokenLifetimeS })).toThrow(
			TypeError,
		);
		const claims = { ...base, nowMs: 0, tokenLifetimeS };
		expect(() => buildClaims(claims)).toThrow("tokenLifetimeS must be");
	},
);

test.each(EVENTS)("claims of the event %j are refused", (event) => {
	const input = { ...base, nowMs: 0, event: event as "lead_created" };
	expect(() => buildClaims(input)).toThrow("event is not a known event id");
});

const NO_LIMIT = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, "5"];
const NO_COUNT = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5"];
describe.each([
	["connectTimeoutMs", NO_LIMIT],
	["answerTimeoutMs", NO_LIMIT],
	["connections", NO_COUNT],
	["maxOrigins", NO_COUNT],
])("%s", (name, values) => {
	test.each(values)("%j is refused", (value) => {
		const options = { [name]: value } as WireOptions;
		expect(() => createWire(options)).toThrow(`${name} must be a`);
		expect(() => openProbe(options)).toThrow(TypeError);
	});
});

test.each([
	"127/8",
	"10.1/16",
	"010.0.0.0/8",
	"0x7f.0.0.1/8",
	"2130706433/8",
	"10.0.0.0",
	"10.0.0.0/33",
	"10.0.0.0/-1",
	"10.0.0.0/8/8",
	"::1",
	"::1/129",
	"localhost/8",
	"/8",
	"",
])("the network %j is refused", (network) => {
	const options = { allowedNetworks: [network] };
	expect(() => createWire(options)).toThrow("not a CIDR block");
	expect(() => openProbe(options)).toThrow("not a CIDR block");
});

test.each([
	"127.0.0.0/8",
	"0.0.0.0/0",
	"fd00::/8",
	"::1/128",
	"::ffff:10.0.0.0/104",
])("the network %j is taken", async (network) => {
	const wire = createWire({ allowedNetworks: [network] });
	await wire.close();
});
