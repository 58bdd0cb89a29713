/* The readers of flags and variables: each turns the text into a value, or throws a `UsageError` with one sentence. */
import { isIP } from "node:net";
import {
	instant,
	isUuid,
	MAX_RETRY_DELAY_S,
	RetrySchedule,
} from "@partnerwire/contract";
import {
	EVENT_IDS,
	type EventId,
	isEventId,
	parseUrl,
} from "@partnerwire/wire";
import { LOG_LEVELS, type LogLevel } from "../../service/log.ts";
import { unknownWord } from "../suggest.ts";
import { emptyValue, UsageError } from "../usage-error.ts";
import type { Reader } from "./flag.ts";

/** Any text. */
export const text: Reader<string> = (given) => given;

/** A text that passes a check. */
export const textThat =
	(isRight: (given: string) => boolean, wanted: string): Reader<string> =>
	(given, name) => {
		if (isRight(given)) return given;
		throw new UsageError(`${name} ${wanted}`);
	};

/** Text that messages may repeat. It refuses URLs, because one meant for another setting may hold a password. */
export const noUrl = (wanted: string) =>
	textThat(
		(given) => given !== "" && !given.includes("://"),
		`must be ${wanted}`,
	);

export const serviceUrl = textThat((given) => {
	const url = parseUrl(given);
	if (!url || !/^https?:$/.test(url.protocol)) return false;
	return url.username === "" && url.password === "";
}, "must be an http: or https: URL, without a user and password");

/** The origin of a URL. */
export const origin: Reader<string> = (given, name) =>
	textThat(
		(url) => /^https?:\/\/[^/?#]+\/?$/i.test(url),
		"must be an origin, such as https://partnerwire.example",
	)(serviceUrl(given, name), name);

/** Origins separated by commas, each as a browser writes it: in lower case, and without a default port. */
export const origins: Reader<string[]> = (given, name) =>
	split(given).map((item) => new URL(origin(item, name)).origin);

/** Whether a server's URL is valid, with no part of its password in the path or fragment: messages repeat those. */
export function isServerUrl(given: string): boolean {
	const url = parseUrl(given);
	return url !== null && !url.pathname.includes("@") && url.hash === "";
}

/** A secret that fits into a header and is long enough not to be guessed. */
export const secretText = textThat(
	(given) => /^[\x21-\x7e]{16,}$/.test(given),
	"must have at least 16 printable ASCII characters and no spaces",
);

export const integer =
	(minimum: number, maximum: number): Reader<number> =>
	(given, name) => {
		const value = /^\d{1,10}$/.test(given) ? Number(given) : Number.NaN;
		if (value >= minimum && value <= maximum) return value;
		throw new UsageError(
			`${name} must be a whole number from ${minimum} to ${maximum}`,
		);
	};

const split = (given: string): string[] =>
	given
		.split(",")
		.map((item) => item.trim())
		.filter((item) => item !== "");

/** Words separated by commas, each of which passes a check. */
const wordsThat =
	(isRight: (item: string) => boolean, wanted: string): Reader<string[]> =>
	(given, name) => {
		const words = split(given);
		if (words.every(isRight)) return words;
		throw new UsageError(`${name} must be ${wanted}`);
	};

export const networks = wordsThat((network) => {
	const [address = "", bits = "", ...rest] = network.split("/");
	const most = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
	return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
}, "CIDR blocks separated by commas, such as 10.0.0.0/8");

export const addresses = wordsThat(
	(address) => isIP(address) !== 0,
	"IP addresses separated by commas, such as 127.0.0.1",
);

/** The three additive claims (docs/decisions.md#additive-claims). */
const ADDITIVE_CLAIMS = ["jti", "payload_sha256", "sequence"];
export const claims = wordsThat(
	(claim) => ADDITIVE_CLAIMS.includes(claim),
	`claims separated by commas, of ${ADDITIVE_CLAIMS.join(", ")}`,
);

export const delays: Reader<number[]> = (given, name) => {
	if (!/^\d+(,\d+)*$/.test(given))
		throw new UsageError(
			`${name} must be seconds separated by commas, such as 0,5,300`,
		);
	const list = given.split(",").map(Number);
	if (RetrySchedule.safeParse(list).success) return list;
	throw new UsageError(
		`${name} must be 1 to 20 delays of at most ${MAX_RETRY_DELAY_S} seconds (7 days)`,
	);
};

/** One word of a known set. The error suggests the nearest one. */
export const oneOf =
	<Word extends string>(known: readonly Word[]): Reader<Word> =>
	(given, name) => {
		const found = known.find((item) => item === given);
		if (found !== undefined) return found;
		throw unknownWord(`${name} has no`, given, known);
	};

/** Words of a known set, separated by commas. */
export const listOf =
	<Word extends string>(known: readonly Word[]): Reader<Word[]> =>
	(given, name) => {
		const words = split(given);
		if (words.length > 0) return words.map((item) => oneOf(known)(item, name));
		throw new UsageError(
			`${name} must be words separated by commas, of ${known.join(", ")}`,
		);
	};

/** One of the 19 event ids. */
export const eventId: Reader<EventId> = (given) => {
	if (isEventId(given)) return given;
	throw unknownWord("there is no event", given, EVENT_IDS);
};

/** Event ids separated by commas. */
export const eventIds: Reader<EventId[]> = (given, name) => {
	const ids = split(given);
	if (ids.length === 0) throw new UsageError(`${name} names no event`);
	return ids.map((id) => eventId(id, name));
};

/** The uuid of a record. Its error does not repeat the text: a secret is easily mistaken for an id. */
export const id: Reader<string> = (given, name) => {
	if (isUuid(given)) return given;
	if (given.trim() === "") throw emptyValue(name);
	throw new UsageError(`${name} must be a UUID, as lists show it`);
};

/** A time with an offset, as the API takes it. */
export const time = textThat(
	(given) => instant().safeParse(given).success,
	"must be a date and time with an offset, such as 2026-12-01T00:00:00Z",
);

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration such as 90s, 15m, 1h or 2d, as milliseconds. */
export const durationMs: Reader<number> = (given, name) => {
	const [, count, unit] = /^([1-9]\d{0,5})([smhd])$/.exec(given) ?? [];
	if (!unit)
		throw new UsageError(
			`${name} must be a duration in seconds, minutes, hours or days, such as 90s, 15m, 1h or 2d`,
		);
	return Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
};

export const logLevel: Reader<LogLevel> = (given, name) => {
	const found = LOG_LEVELS.find((level) => level === given);
	if (found !== undefined) return found;
	throw new UsageError(`${name} must be one of ${LOG_LEVELS.join(", ")}`);
};

export const rateStore = textThat(
	(given) =>
		given === "memory" ||
		(/^(rediss?|postgres(ql)?):\/\//i.test(given) && isServerUrl(given)),
	"must be memory, or the URL of a Redis or PostgreSQL server",
);

const notEmpty = textThat((given) => given !== "", "is empty");

/** A signing secret. White space around it comes from the file that it was read from. */
export const signingSecret: Reader<string> = (given, name) =>
	notEmpty(given.trim(), name);
