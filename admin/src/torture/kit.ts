import { createHash, randomUUID } from "node:crypto";
import { signTestToken } from "@partnerwire/receiver/testing";
import type { EventId } from "@partnerwire/wire";
import { readFixture } from "../assets/fixtures.ts";
import type { Answer, Shot } from "./send-shot.ts";

type Claims = Record<string, unknown>;

/** The parts of a signed request. Everything has a default. */
export interface Parts {
	readonly eventId?: EventId;
	/** By default the event's fixture, as a new record. */
	readonly body?: string | Uint8Array;
	/** Changed claims; an undefined one is left out. A string is the token's whole payload. */
	readonly claims?: Claims | string;
	readonly header?: Claims;
	readonly secret?: string | Uint8Array<ArrayBuffer>;
	/** Damages the finished token. */
	readonly spoil?: (token: string) => string | Promise<string>;
	/** More header lines. */
	readonly headers?: Shot["headers"];
	readonly contentType?: string;
}

/** Creates requests for one receiver and sends them. */
export interface Kit {
	readonly secret: string;
	readonly nowS: () => number;
	body(eventId?: EventId): string;
	claims(body: string | Uint8Array, more?: Claims): Claims;
	token(claims: Claims | string, parts?: Parts): Promise<string>;
	/** Creates a request. Its token is valid unless the parts change it. */
	shot(parts?: Parts): Promise<Shot>;
	send(shot: Shot): Promise<Answer>;
}

const LIFETIME_S = 300;

export function createKit(
	secret: string,
	send: (shot: Shot) => Promise<Answer>,
	clock: () => number = () => Date.now(),
): Kit {
	const companyUuid = randomUUID();
	const nowS = () => Math.floor(clock() / 1000);

	const kit: Kit = {
		secret,
		nowS,
		send,
		body(eventId = "lead_created") {
			const { configuration, ...entities } = readFixture(eventId);
			const [[key, entity] = ["lead", {}]] = Object.entries(entities);
			const record = { ...(entity as object), uuid: randomUUID() };
			return JSON.stringify({ [key]: record, configuration });
		},
		claims: (body, more = {}) => ({
			company_uuid: companyUuid,
			user_uuid: companyUuid,
			event_id: "lead_created",
			iat: nowS(),
			exp: nowS() + LIFETIME_S,
			jti: randomUUID(),
			payload_sha256: createHash("sha256").update(body).digest("base64url"),
			...more,
		}),
		async token(claims, { header, secret: other, spoil } = {}) {
			const token = await signTestToken(claims, other ?? secret, header);
			return spoil ? spoil(token) : token;
		},
		async shot(parts = {}) {
			const body = parts.body ?? kit.body(parts.eventId);
			const event = parts.eventId && { event_id: parts.eventId };
			const claims =
				typeof parts.claims === "string"
					? parts.claims
					: kit.claims(body, { ...event, ...parts.claims });
			const token = await kit.token(claims, parts);
			return {
				headers: [
					["authorization", `Bearer ${token}`],
					["content-type", parts.contentType ?? "application/json"],
					...(parts.headers ?? []),
				],
				body,
			};
		},
	};
	return kit;
}

/** The same request with other Authorization lines. */
export const withAuthorization = (
	shot: Shot,
	...values: readonly string[]
): Shot => ({
	...shot,
	headers: [
		...values.map((value) => ["authorization", value] as const),
		...shot.headers.filter(([name]) => name !== "authorization"),
	],
});

/** The value of a request's Authorization header. */
export const authorizationOf = (shot: Shot): string =>
	shot.headers.find(([name]) => name === "authorization")?.[1] ?? "";
