import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { eventBodySchema, isUuid, WebhookClaims } from "@partnerwire/contract";
import { EVENT_IDS, eventGroupOf, payloadKeyOf } from "@partnerwire/wire";
import { jwtVerify } from "jose";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../fixtures/", import.meta.url));
const read = (name: string) => readFileSync(`${folder}${name}`, "utf8");

interface Vector {
	readonly name: string;
	readonly secret: string;
	readonly now: number;
	readonly token: string;
	readonly claims: Record<string, unknown> | null;
	readonly body?: string;
	readonly verdict: "accept" | "reject";
	readonly reason: string | null;
}

describe("fixtures/events", () => {
	it("has exactly the 19 events", () => {
		const names = EVENT_IDS.map((id) => `${id}.json`).sort();
		expect(readdirSync(`${folder}events`).sort()).toEqual(names);
	});

	it.each(EVENT_IDS)("%s is a valid body of its event", (id) => {
		const body: unknown = JSON.parse(read(`events/${id}.json`));
		// The schema strips unknown members, so an equal result means that there are none.
		expect(eventBodySchema(id).parse(body)).toEqual(body);
		expect(Object.keys(body as object)).toEqual([
			payloadKeyOf(id),
			"configuration",
		]);
		const { configuration } = body as { configuration: unknown[] };
		expect(configuration).toHaveLength(eventGroupOf(id) === "Lead" ? 1 : 0);
	});

	it.each(EVENT_IDS)("%s has UUIDs, and hosts that nobody owns", (id) => {
		const text = read(`events/${id}.json`);
		for (const [, uuid = ""] of text.matchAll(/uuid": "([^"]*)"/g))
			expect(isUuid(uuid) && uuid[14] === "7").toBe(true);
		for (const [, host = ""] of text.matchAll(/(?:@|https:\/\/)([^"]+)"/g))
			expect(host).toMatch(/\.example$/);
	});
});

describe("fixtures/tokens.json", () => {
	const { vectors } = JSON.parse(read("tokens.json")) as {
		vectors: readonly Vector[];
	};
	const verify = ({ token, secret, now }: Vector) =>
		jwtVerify(token, new TextEncoder().encode(secret), {
			algorithms: ["HS256"],
			currentDate: new Date(now * 1000),
		});

	it("is what its generator prints", () => {
		const script = `${folder}generate-tokens.mjs`;
		const printed = execFileSync(process.execPath, [script], {
			encoding: "utf8",
			maxBuffer: 10_000_000,
		});
		expect(read("tokens.json")).toBe(printed);
	});

	it("has names that are unique, and a reason exactly for each rejection", () => {
		expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
		for (const { name, verdict, reason } of vectors)
			expect([name, reason === null]).toEqual([name, verdict === "accept"]);
	});

	const accepted = vectors.filter(({ verdict }) => verdict === "accept");
	it.each(accepted)("accepted, and jose agrees: $name", async (vector) => {
		const { payload } = await verify(vector);
		expect(payload).toEqual(vector.claims);
		expect(WebhookClaims.safeParse(vector.claims).success).toBe(true);
		if (vector.body !== undefined)
			expect(payload.payload_sha256).toBe(
				createHash("sha256").update(vector.body).digest("base64url"),
			);
	});

	// The tokens that jose refuses by default. A strict receiver refuses more, such as the crit that jose understands (b64).
	const refusedByJose = vectors.filter(({ reason }) =>
		[
			"ALG_UNSUPPORTED",
			"SIGNATURE_INVALID",
			"TOKEN_EXPIRED",
			"TOKEN_NOT_YET_VALID",
			"NBF_INVALID",
			"CLAIMS_NOT_OBJECT",
		].includes(reason ?? ""),
	);
	it.each(refusedByJose)("rejected, and jose agrees: $name", async (vector) => {
		await expect(verify(vector)).rejects.toThrow();
	});
});

describe("fixtures/seed.json", () => {
	const seed = JSON.parse(read("seed.json")) as Record<string, unknown[]>;

	it("covers every partner type and every phase", () => {
		const rows = (name: string) => seed[name] as Record<string, string>[];
		const valuesOf = (name: string, member: string) =>
			[...new Set(rows(name).map((row) => row[member]))].sort();
		const types = ["distributor", "referral", "reseller"];
		expect(valuesOf("deal_stages", "partner_type")).toEqual(types);
		expect(valuesOf("partner_stages", "partner_type")).toEqual(types);
		expect(valuesOf("lead_stages", "partner_type")).toEqual(types);
		expect(valuesOf("deal_stages", "phase")).toEqual(
			["discovery", "negotiation", "closed_won", "closed_lost"].sort(),
		);
		expect(valuesOf("partner_stages", "phase")).toEqual(
			["discovery", "evaluation", "active", "inactive"].sort(),
		);
		expect(valuesOf("tags", "type")).toEqual(
			["partner", "lead", "deal", "resource", "card", "contact"].sort(),
		);
	});

	it("holds no uuid, and one key of each kind", () => {
		expect(read("seed.json")).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
		expect(seed.keys).toEqual([
			{ label: "Read key", read: true, write: false },
			{ label: "Write key", read: false, write: true },
			{ label: "Full key", read: true, write: true },
		]);
	});
});
