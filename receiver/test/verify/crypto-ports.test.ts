import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
	BODY,
	GOOD,
	NOW_MS,
	OTHER_SECRET,
	SECRET,
	sha256,
	tok,
} from "#kit/endpoints/tokens.ts";
import { fromRequest } from "../../src/common/incoming.ts";
import { resolveOptions } from "../../src/options.ts";
import { createPipeline } from "../../src/pipeline.ts";
import { hmac as nodePort } from "../../src/verify/crypto-node.ts";
import { hmac as webPort } from "../../src/verify/crypto-web.ts";
import { explain } from "../../src/verify/explain.ts";
import { compareVerdicts } from "../helpers/compare-verdicts.ts";

describe("the node:crypto path and the WebCrypto path", () => {
	test("give the same verdict on 5,000 generated tokens", () =>
		compareVerdicts(5_000));

	test("E07 find the key among several, wherever it is", async () => {
		for (const secrets of [
			[SECRET],
			[OTHER_SECRET, SECRET],
			[SECRET, OTHER_SECRET],
			[OTHER_SECRET],
		]) {
			const nodeKeys = await Promise.all(secrets.map(nodePort.createKey));
			const webKeys = await Promise.all(secrets.map(webPort.createKey));
			const expected = secrets.indexOf(SECRET);
			expect(nodePort.matchKey(GOOD, nodeKeys)).toBe(expected);
			expect(await webPort.matchKey(GOOD, webKeys)).toBe(expected);
		}
	});

	test("hash and decode alike", async () => {
		for (const text of ["", "é😀", "x".repeat(5_000)]) {
			expect(nodePort.hash(text)).toBe(sha256(text));
			expect(await webPort.hash(text)).toBe(sha256(text));
			expect(await webPort.hash(new TextEncoder().encode(text))).toBe(
				sha256(text),
			);
			const segment = Buffer.from(text).toString("base64url");
			expect(nodePort.decodeSegment(segment)).toBe(text);
			expect(webPort.decodeSegment(segment)).toBe(text);
		}
		for (const port of [nodePort, webPort])
			expect(port.decodeSegment("_w")).toBeUndefined();
	});
});

test("C12 signatures are compared in constant time", () => {
	const source = readFileSync(
		join(import.meta.dirname, "../../src/verify/crypto-node.ts"),
		"utf8",
	);
	expect(source).toContain("timingSafeEqual(digest, signature)");
	expect(source).not.toMatch(/(?:digest|signature)\s*[!=]==/);
});

describe("an explanation without Node's modules", () => {
	const refusalOf = async (explanation: boolean | typeof explain) => {
		const options = resolveOptions({
			secret: OTHER_SECRET.toUpperCase(),
			explain: explanation,
			clock: () => NOW_MS,
			log: () => {},
		});
		const receive = createPipeline(options, new Map(), webPort);
		const token = tok({}, undefined, OTHER_SECRET);
		return receive(
			fromRequest(
				new Request("http://receiver.example/", {
					method: "POST",
					headers: { authorization: `Bearer ${token}` },
					body: BODY,
				}),
			),
		);
	};

	test("comes from the function of its own subpath", async () => {
		expect(JSON.stringify(await refusalOf(explain))).toContain(
			"The signature is right with the secret in lower case",
		);
	});

	test("is left out where the subpath is not named", async () => {
		expect(JSON.stringify(await refusalOf(true))).not.toContain(
			"The signature is right",
		);
	});
});
