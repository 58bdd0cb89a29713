import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createFakeWire, toResult } from "#kit/endpoints/fake-wire.ts";
import { answer, listenHttp } from "#kit/endpoints/receivers.ts";
import { withDefaults } from "../src/http/with-defaults.ts";
import {
	createDispatcher,
	createWire,
	openProbe,
	type RetryOptions,
	type SendOptions,
	send,
	sendWithRetry,
	type WireOptions,
} from "../src/index.ts";
import { BODY, causeOf, SECRET, TOKEN } from "./support/wires.ts";

/** The names of all optional members. The type checker complains if one is missing here. */
type AllOf<Options> = Readonly<
	Record<
		{
			[Name in keyof Options]-?: undefined extends Options[Name] ? Name : never;
		}[keyof Options],
		true
	>
>;

test("what is given wins, whatever it is, and undefined is not given", () => {
	const values = fc.dictionary(fc.string(), fc.option(fc.anything()), {
		noNullPrototype: true,
	});
	fc.assert(
		fc.property(values, values, (options, defaults) => {
			const merged: Record<string, unknown> = withDefaults(options, defaults);
			for (const name of Object.keys({ ...defaults, ...options })) {
				const isGiven =
					Object.hasOwn(options, name) && options[name] !== undefined;
				expect(merged[name]).toBe(isGiven ? options[name] : defaults[name]);
			}
		}),
	);
});

const WIRE: AllOf<WireOptions> = {
	connectTimeoutMs: true,
	answerTimeoutMs: true,
	connections: true,
	maxOrigins: true,
	allowHttp: true,
	allowPrivate: true,
	allowedNetworks: true,
	ca: true,
	clock: true,
	resolve: true,
};
const namesOf = (all: object) => Object.keys(all);
const here = { allowHttp: true, allowPrivate: true };

describe.each(namesOf(WIRE))("%s", (name) => {
	const { [name]: _left, ...without } = here as Record<string, boolean>;
	const withUndefined = { ...without, [name]: undefined };

	test("as undefined makes the same wire as none", async () => {
		const { url } = await listenHttp(answer(200));
		const wires = [createWire(without), createWire(withUndefined)];
		const outcomes = wires.map(async (wire) => {
			const result = await wire.attempt({ url, token: TOKEN, body: BODY });
			await wire.close();
			return [wire.maxAttemptMs, result.delivered, causeOf(result)];
		});
		const [expected, found] = await Promise.all(outcomes);
		expect(found).toEqual(expected);
	});

	test("as undefined makes the same probe as none", async () => {
		const { url } = await listenHttp(answer(200));
		const reports = [without, withUndefined].map(async (options) => {
			const probe = openProbe(options);
			const { ok, checks } = await probe.look(url);
			probe.close();
			return [ok, checks];
		});
		const [expected, found] = await Promise.all(reports);
		expect(found).toEqual(expected);
	});
});

const SEND: AllOf<SendOptions> = {
	configuration: true,
	apiKey: true,
	externalSettings: true,
	tokenLifetimeS: true,
	jti: true,
	payloadSha256: true,
	sequence: true,
	standardWebhooks: true,
	wire: true,
	wireOptions: true,
	clock: true,
};
const base: Omit<SendOptions<"lead_created">, "jti"> = {
	url: "https://127.0.0.1/",
	secret: SECRET,
	event: "lead_created",
	entity: {} as SendOptions<"lead_created">["entity"],
	companyUuid: "01934f2a-7c00-7b3e-8a11-5e0c4d2f9b01",
	userUuid: "01934f2a-7c01-7c44-9b52-0d7e6a1f3c02",
};
const shapeOf = ({ claims, body, failure }: Awaited<ReturnType<typeof send>>) =>
	[
		Object.keys(claims),
		claims.exp - claims.iat,
		Math.abs(claims.iat - Date.now() / 1000) < 60,
		new TextDecoder().decode(body),
		failure?.class,
	] as const;

test.each(namesOf(SEND))("send: %s as undefined is as none", async (name) => {
	const found = await send({ ...base, [name]: undefined });
	expect(shapeOf(found)).toEqual(shapeOf(await send(base)));
});

test("a dispatcher's own options outlast a call's undefined", async () => {
	const bodies: string[] = [];
	const wire = createFakeWire(({ body }) => {
		bodies.push(body);
		return toResult(200, 0);
	});
	const configuration = [{ id: "a", selected: [] }];
	const dispatcher = createDispatcher({ ...base, configuration, wire });
	const nothing = {
		userUuid: undefined,
		jti: undefined,
		sequence: undefined,
		configuration: undefined,
	};
	await dispatcher.send("lead_created", base.entity, nothing);
	expect(JSON.parse(bodies[0] ?? "")).toMatchObject({ configuration });
});

const RETRY: AllOf<RetryOptions> = {
	retries: true,
	minDelayMs: true,
	maxDelayMs: true,
	factor: true,
	maxRetryAfterMs: true,
	onFailedAttempt: true,
	signal: true,
};
describe("retries", () => {
	beforeEach(() => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	});
	afterEach(() => {
		vi.restoreAllMocks();
		vi.useRealTimers();
	});

	/** The delays between the attempts of an event that the receiver never acknowledges. */
	async function delaysWith(options: RetryOptions): Promise<unknown[]> {
		vi.spyOn(Math, "random").mockReturnValue(0);
		const timers = vi.spyOn(globalThis, "setTimeout");
		const wire = createFakeWire(() => toResult(500, 0));
		const sending = sendWithRetry({ ...base, wire }, options);
		await vi.runAllTimersAsync();
		const { attempts } = await sending;
		return [attempts.length, timers.mock.calls.map(([, delay]) => delay)];
	}

	test.each(namesOf(RETRY))("%s as undefined is as none", async (name) => {
		const found = await delaysWith({ [name]: undefined });
		vi.restoreAllMocks();
		expect(found).toEqual(await delaysWith({}));
	});
});
