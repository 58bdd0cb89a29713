import {
	createReceiver,
	createVerifier,
	ReceiverConfigError,
	type ReceiverOptions,
	verify,
} from "@partnerwire/receiver";
import { verifySync } from "@partnerwire/receiver/node";
import { describe, expect, test, vi } from "vitest";
import { GOOD, NOW_MS, SECRET } from "#kit/endpoints/tokens.ts";

const create = (options: object) => () =>
	createReceiver({
		secret: undefined,
		log: () => {},
		...options,
	} satisfies ReceiverOptions);

function codeOf(build: () => unknown): string {
	try {
		build();
	} catch (error) {
		if (error instanceof ReceiverConfigError) return error.code;
		throw error;
	}
	return "no error";
}

const BAD_SECRETS: readonly [what: string, secret: unknown, words: string][] = [
	["undefined", undefined, "environment variable"],
	["null", null, "environment variable"],
	["a number", 1, "not a string"],
	["empty", "", "empty"],
	["blank", "  ", "empty"],
	["the word undefined", "undefined", "placeholder"],
	["the word null", "null", "placeholder"],
	["changeme", "changeme", "placeholder"],
	["your-webhook-secret", "your-webhook-secret", "placeholder"],
	["<secret>", "<secret>", "placeholder"],
	["a template", ["$", "{PARTNERWIRE_WEBHOOK_SECRET}"].join(""), "placeholder"],
	["an object's text", "[object Object]", "placeholder"],
	["the nil UUID", "00000000-0000-0000-0000-000000000000", "placeholder"],
	["the max UUID", "ffffffff-ffff-ffff-ffff-ffffffffffff", "placeholder"],
	["a newline at the end", `${SECRET}\n`, "trim"],
	["a space before", ` ${SECRET}`, "trim"],
	["no secrets", [], "list of secrets is empty"],
	["an empty one of several", [SECRET, ""], "empty"],
	["only an empty one", [""], "empty"],
	["an undefined one of several", [SECRET, undefined], "not a string"],
	["PEM", "-----BEGIN PUBLIC KEY-----\nMIIB", "PEM"],
	["a JWK", '{"kty":"oct","k":"AAAA"}', "JSON Web Key"],
];

describe("E01 E06 C02 secrets that cannot be right throw at construction", () => {
	test.each(BAD_SECRETS)("%s", async (_what, secret, words) => {
		expect(codeOf(create({ secret }))).toBe("CONFIG_SECRET");
		expect(create({ secret })).toThrow(words);
		// The sentence says what to fix, and does not contain the secret.
		expect(create({ secret })).toThrow("integration_uuid");
		expect(create({ secret })).not.toThrow(SECRET);
		const options = { secret: secret as string };
		expect(() => createVerifier(options)).toThrow(ReceiverConfigError);
		await expect(verify(GOOD, options)).rejects.toThrow(ReceiverConfigError);
	});
});

describe("options that cannot work throw at construction", () => {
	test.each([
		[{ deadlineMs: -1 }, "deadlineMs"],
		[{ deadlineMs: "9000" }, "deadlineMs"],
		[{ expToleranceS: Number.NaN }, "expToleranceS"],
		[{ maxBodyBytes: Number.POSITIVE_INFINITY }, "maxBodyBytes"],
		[{ leaseMs: 9_000 }, "more than deadlineMs"],
		[{ onStoreError: "ignore" }, "open, closed"],
		[{ schema: "loose" }, "lenient, strict"],
		[{ onTokenReuse: true }, "flag, reject"],
		[{ dedup: {} }, "memoryStore()"],
		[{ dedup: true }, "memoryStore()"],
		[{ inbox: "webhooks.db" }, "sqliteInbox(path)"],
		[{ inbox: "" }, "sqliteInbox(path)"],
		[{ inbox: null }, "sqliteInbox(path)"],
		[{ inbox: false, ackFirst: true }, "ackFirst needs a durable inbox"],
	])("%o", (options, words) => {
		expect(codeOf(create({ secret: SECRET, ...options }))).toBe(
			"CONFIG_OPTION",
		);
		expect(create({ secret: SECRET, ...options })).toThrow(words);
	});

	test("G02 acknowledging first needs an inbox", () => {
		const build = create({ secret: SECRET, ackFirst: true });
		expect(codeOf(build)).toBe("CONFIG_OPTION");
		expect(build).toThrow("ackFirst needs a durable inbox");
		expect(create({ secret: SECRET, ackFirst: false })).not.toThrow();
	});

	test("explain is refused in production", () => {
		vi.stubEnv("NODE_ENV", "production");
		const build = create({ secret: SECRET, explain: true });
		expect(build).toThrow("development");
		vi.unstubAllEnvs();
		expect(build).not.toThrow();
	});

	test("undefined is as good as absent", () => {
		const options = { secret: SECRET, deadlineMs: undefined, dedup: undefined };
		expect(create(options)).not.toThrow();
	});
});

describe("events", () => {
	test("a name that is none throws, so that a typing mistake loses nothing", () => {
		const receiver = createReceiver({ secret: SECRET });
		for (const name of ["lead_craeted", "lead", "toString", "__proto__", ""])
			expect(codeOf(() => receiver.on(name as "Lead", () => {}))).toBe(
				"CONFIG_EVENT",
			);
	});
});

describe("verify", () => {
	test("resolves its options once per object", async () => {
		const options = { secret: SECRET, clock: () => NOW_MS };
		for (let time = 0; time < 2; time++)
			expect(await verify(GOOD, options)).toMatchObject({
				ok: true,
				secretIndex: 0,
				claims: { event_id: "deal_updated" },
			});
		expect(await verify("", options)).toEqual({
			ok: false,
			reason: "TOKEN_MALFORMED",
		});
	});
});

describe("E09 verifySync", () => {
	test("answers at once, like verify", async () => {
		const options = { secret: [SECRET], clock: () => NOW_MS };
		expect(verifySync(GOOD, options)).toEqual(await verify(GOOD, options));
		expect(verifySync("x", options)).toEqual(await verify("x", options));
	});

	test("refuses a lookup", () => {
		const lookup = (() => SECRET) as unknown as string;
		expect(() => verifySync(GOOD, { secret: lookup })).toThrow("lookup");
	});
});
