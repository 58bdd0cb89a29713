import { deflateSync, gzipSync } from "node:zlib";
import { expect } from "vitest";
import { BODY, sha256, tok } from "#kit/endpoints/tokens.ts";
import { type Case, DUPLICATE, expectOk, expectRefusal } from "./case.ts";

const bytes = (...parts: (string | number[])[]): Uint8Array =>
	Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const BOM = [0xef, 0xbb, 0xbf];
const MIB = 1024 * 1024;

/** Cases A: reading the body. */
export const BODY_CASES: readonly Case[] = [
	{
		id: "A05",
		title: "a body that had to travel as base64 arrives as its bytes",
		async run({ send, runs }) {
			// Not valid UTF-8, so Lambda events contain it as base64.
			const body = gzipSync(BODY);
			expectOk(await send({ body, headers: { "content-encoding": "gzip" } }));
			expect(Buffer.from(runs[0]?.rawBody ?? []).toString()).toBe(BODY);
		},
	},
	{
		id: "A05 empty",
		title: "no body at all is empty, not null",
		async run({ send }) {
			expectRefusal(await send({ body: null }), "EMPTY_BODY");
		},
	},
	{
		id: "A06",
		title: "non-ASCII text arrives as it was sent",
		async run({ send, runs }) {
			const label = "Ünï 😀 日本";
			const body = JSON.stringify({
				deal: { uuid: "d", label },
				configuration: [],
			});
			expectOk(await send({ body }));
			expectOk(
				await send({
					body: gzipSync(body),
					authorization: `Bearer ${tok({ jti: "other" })}`,
					headers: { "content-encoding": "gzip" },
				}),
				DUPLICATE,
			);
			expect(runs[0]?.deal?.label).toBe(label);
		},
	},
	{
		id: "A09",
		title: "one BOM is stripped, and does not make another payload",
		async run({ send, runs }) {
			expectOk(await send({ body: bytes(BOM, BODY) }));
			expectOk(await send({ body: BODY }), DUPLICATE);
			expectRefusal(
				await send({ body: bytes(BOM, BOM, BODY) }),
				"INVALID_JSON",
			);
			expect(Buffer.from(runs[0]?.rawBody ?? []).toString()).toBe(BODY);
			const bound = tok({ payload_sha256: sha256(BODY), jti: "bom" });
			expectOk(
				await send({
					body: bytes(BOM, BODY),
					authorization: `Bearer ${bound}`,
				}),
				DUPLICATE,
			);
		},
	},
	{
		id: "A10",
		title: "gzip and deflate are inflated, other codings are 415",
		async run({ send }) {
			for (const coding of ["br", "zstd", "compress", "gzip, gzip"]) {
				const answer = await send({
					body: gzipSync(BODY),
					headers: { "content-encoding": coding },
				});
				expectRefusal(answer, "UNSUPPORTED_ENCODING");
				expect(answer.headers["accept-encoding"]).toContain("identity");
			}
			expectOk(
				await send({
					body: gzipSync(BODY),
					headers: { "content-encoding": "GZip" },
				}),
			);
			for (const [coding, body] of [
				["x-gzip", gzipSync(BODY)],
				["deflate", deflateSync(BODY)],
				["identity", Buffer.from(BODY)],
			] as const)
				expectOk(
					await send({ body, headers: { "content-encoding": coding } }),
					DUPLICATE,
				);
		},
	},
	{
		id: "A10 bomb",
		title: "the limit counts inflated bytes, and broken gzip is 400",
		async run({ send }) {
			const headers = { "content-encoding": "gzip" };
			const bomb = gzipSync(Buffer.alloc(10 * MIB, "a"));
			expect(bomb.length).toBeLessThan(20_000);
			expectRefusal(await send({ body: bomb, headers }), "BODY_TOO_LARGE");
			const broken = gzipSync(BODY).subarray(0, 30);
			expectRefusal(await send({ body: broken, headers }), "INVALID_ENCODING");
		},
	},
	{
		id: "A11",
		title: "plain JSON under a gzip header that a proxy left is accepted",
		async run({ send }) {
			expectOk(await send({ headers: { "content-encoding": "gzip" } }));
			expectOk(
				await send({ headers: { "content-encoding": "deflate" } }),
				DUPLICATE,
			);
		},
	},
	{
		id: "A12",
		title: "1 MiB is accepted, one byte more is 413",
		async run({ send, runs }) {
			const pad = (length: number) =>
				`${BODY.slice(0, -1)}${" ".repeat(length - BODY.length)}}`;
			expectOk(await send({ body: pad(MIB) }));
			for (const chunked of [false, true])
				expectRefusal(
					await send({ body: pad(MIB + 1), chunked }),
					"BODY_TOO_LARGE",
				);
			expect(runs.length).toBe(1);
		},
	},
	{
		id: "A12 stranger",
		title: "a stranger is refused before the body has come",
		on: (adapter) => adapter.streams,
		async run({ send }) {
			expectRefusal(
				await send({ authorization: null, body: "aaaa", stalled: true }),
				"TOKEN_MISSING",
			);
		},
	},
	{
		id: "A14",
		title: "a body that never ends is 408",
		options: { bodyTimeoutMs: 20 },
		on: (adapter) => adapter.streams,
		async run({ send, runs }) {
			const answer = await send({ body: '{"d', stalled: true });
			expectRefusal(answer, "BODY_TIMEOUT");
			expect(runs.length).toBe(0);
		},
	},
];
