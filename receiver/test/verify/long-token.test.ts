/** A token over 64 KiB is refused before anything of it is decoded, also where a server or a gateway lets it through. */
import { createServer } from "node:http";
import { createReceiver, createVerifier } from "@partnerwire/receiver";
import { toNodeHandler } from "@partnerwire/receiver/node";
import { describe, expect, test, vi } from "vitest";
import { ADAPTERS, listen } from "#kit/endpoints/adapters.ts";
import type { Mounted } from "#kit/endpoints/fetch-adapters.ts";
import { claims, NOW_MS, SECRET, tok } from "#kit/endpoints/tokens.ts";
import type { Incoming } from "../../src/common/incoming.ts";
import { readToken } from "../../src/verify/authorization.ts";
import { hmac as nodePort } from "../../src/verify/crypto-node.ts";
import { hmac as webPort } from "../../src/verify/crypto-web.ts";
import type { PlatformCrypto } from "../../src/verify/platform-crypto.ts";
import { expectOk, expectRefusal } from "../cases/case.ts";

const LIMIT = 64 * 1024;

/** A good token of this length. Three bytes of its payload are four of its characters. */
function tokenOf(length: number): string {
	const [header = "", , signature = ""] = tok().split(".");
	const payload = length - header.length - signature.length - 2;
	const unpadded = JSON.stringify(claims({ padding: "" })).length;
	const token = tok({
		padding: "a".repeat(Math.floor((payload * 3) / 4) - unpadded),
	});
	expect(token).toHaveLength(length);
	return token;
}

describe.each([
	["node:crypto", nodePort as PlatformCrypto],
	["WebCrypto", webPort as PlatformCrypto],
])("%s", (_, port) => {
	test("takes a token of 64 KiB, and does no work for a longer one", async () => {
		const spied = {
			...port,
			matchKey: vi.fn(port.matchKey),
			decodeSegment: vi.fn(port.decodeSegment),
		};
		const work = [spied.matchKey, spied.decodeSegment];
		const options = { clock: () => NOW_MS };
		for (const secret of [SECRET, () => SECRET]) {
			const verifier = createVerifier({ ...options, secret }, spied);
			for (const call of work) call.mockClear();
			expect(await verifier(tokenOf(LIMIT + 1))).toMatchObject({
				reason: "TOKEN_TOO_LONG",
			});
			expect(work.map((call) => call.mock.calls)).toEqual([[], []]);
			expect(await verifier(tokenOf(LIMIT))).toMatchObject({ ok: true });
		}
	});
});

describe("an Authorization header", () => {
	const read = (header: string) => {
		const incoming: Partial<Incoming> = { header: () => header };
		return readToken(incoming as Incoming, ["authorization"]);
	};

	test("of a megabyte of commas is refused before it is split", () => {
		const split = vi.spyOn(String.prototype, "split");
		const { reason } = read(",".repeat(1_000_000));
		const calls = split.mock.calls.length;
		split.mockRestore();
		expect([reason, calls]).toEqual(["TOKEN_TOO_LONG", 0]);
	});

	test("that holds the longest token twice is read", () => {
		const token = tokenOf(LIMIT);
		expect(read(`Bearer ${token}, Bearer ${token}`)).toEqual({ token });
	});
});

const send = async (mounted: Mounted, token: string) => {
	try {
		return await mounted.send({ authorization: `Bearer ${token}` });
	} finally {
		await mounted.close();
	}
};
const newReceiver = () =>
	createReceiver({
		secret: SECRET,
		clock: () => NOW_MS,
		log: () => {},
		explain: true,
	}).on("*", () => {});

describe("a token of a megabyte", () => {
	const mounts = [
		...ADAPTERS.filter(({ socket }) => !socket),
		{
			name: "node with a large maxHeaderSize",
			open: (receiver: ReturnType<typeof newReceiver>) =>
				listen(
					createServer({ maxHeaderSize: 2_000_000 }, toNodeHandler(receiver)),
				),
		},
	];

	test.each(mounts)("is refused by $name", async ({ open }) => {
		const ofLimit = await send(await open(newReceiver()), tokenOf(LIMIT));
		expectOk(ofLimit);
		const long = await send(await open(newReceiver()), tokenOf(1_000_000));
		expectRefusal(long, "TOKEN_TOO_LONG");
		expect(long.text).not.toContain("aaaa");
	});
});
