import { isIP } from "node:net";
import { MAX_RETRY_DELAY_S, RetrySchedule } from "@partnerwire/contract";
import { z } from "zod";
import { LOG_LEVELS } from "../../service/log.ts";
import { UsageError } from "../usage-error.ts";
import { databaseSetting, isServerUrl } from "./database-setting.ts";
import { readVariable } from "./environment.ts";

const flag = z.union(
	[
		z.boolean(),
		z
			.enum(["true", "false", "1", "0"])
			.transform((value) => /^(true|1)$/.test(value)),
	],
	{
		error: "must be true or false",
	},
);
const integer = (minimum: number, maximum: number) => {
	const error = `must be a whole number from ${minimum} to ${maximum}`;
	return z
		.string({ error })
		.regex(/^\d{1,10}$/, { error })
		.transform(Number)
		.refine((value) => value >= minimum && value <= maximum, { error });
};
const delays = z
	.string()
	.regex(/^\d+(,\d+)*$/, {
		error: "must be seconds separated by commas, such as 0,5,300",
	})
	.transform((text) => text.split(",").map(Number))
	.refine((list) => RetrySchedule.safeParse(list).success, {
		error: `must be 1 to 20 delays of at most ${MAX_RETRY_DELAY_S} seconds (7 days)`,
	});

const words = (text: string) =>
	text
		.split(",")
		.map((word) => word.trim())
		.filter((word) => word !== "");

function isNetwork(text: string): boolean {
	const [address = "", bits = "", ...rest] = text.split("/");
	const most = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
	return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
}
const networks = z
	.string()
	.transform(words)
	.refine((list) => list.every(isNetwork), {
		error: "must be CIDR blocks separated by commas, such as 10.0.0.0/8",
	});

/** The three additive claims (docs/decisions.md#additive-claims). */
const ADDITIVE_CLAIMS = ["jti", "payload_sha256", "sequence"] as const;
const claims = z
	.string()
	.transform(words)
	.pipe(
		z.array(
			z.enum(ADDITIVE_CLAIMS, {
				error: `must be claims separated by commas, of ${ADDITIVE_CLAIMS.join(", ")}`,
			}),
		),
	);

/** Text that messages may repeat. It refuses URLs, because one meant for another setting may hold a password. */
const noUrl = (wanted: string) =>
	z.string().refine((text) => text !== "" && !text.includes("://"), {
		error: `must be ${wanted}`,
	});

/** Also for flags that are not settings, such as `--forward`. */
export const SERVICE_URL_WANTED =
	"must be an http: or https: URL, without a user and password";
const serviceUrl = z
	.string()
	.refine(isServiceUrl, { error: SERVICE_URL_WANTED });
export function isServiceUrl(text: string): boolean {
	if (!URL.canParse(text)) return false;
	const { protocol, username, password } = new URL(text);
	return /^https?:$/.test(protocol) && username === "" && password === "";
}

const publicUrl = serviceUrl.refine(
	(text) => /^https?:\/\/[^/?#]+\/?$/i.test(text),
	{ error: "must be an origin, such as https://partnerwire.example" },
);

const proxies = z
	.string()
	.transform(words)
	.refine((list) => list.every((word) => isIP(word) !== 0), {
		error: "must be IP addresses separated by commas, such as 127.0.0.1",
	});

const instant = z.iso.datetime({
	offset: true,
	error: "must be a date and time with an offset, such as 2026-12-01T00:00:00Z",
});

const rateStore = z
	.string()
	.refine(
		(text) =>
			text === "memory" ||
			(/^(rediss?|postgres(ql)?):\/\//i.test(text) && isServerUrl(text)),
		{ error: "must be memory, or the URL of a Redis or PostgreSQL server" },
	);

/** A secret that fits into a header and is long enough not to be guessed. */
const secretText = z.string().regex(/^[\x21-\x7e]{16,}$/, {
	error: "must have at least 16 printable ASCII characters and no spaces",
});

/** All settings of flags and environment. The flag of `rateLimit` is `--rate-limit`, its variable PARTNERWIRE_RATE_LIMIT. */
const Settings = z.object({
	database: databaseSetting.default("partnerwire.db"),
	host: noUrl("an address of this machine").default("127.0.0.1"),
	port: integer(0, 65_535).default(3000),
	secretKey: z.string().optional(),
	nextSecretKey: z.string().optional(),
	allowHttp: flag.default(false),
	allowPrivate: flag.default(false),
	allowNetwork: networks.optional(),
	ca: noUrl("the path of a file").optional(),
	omitClaims: claims.optional(),
	tokenLifetime: integer(1, 604_800).default(3600),
	retrySchedule: delays.optional(),
	passAfter: integer(0, 604_800).default(1800),
	retentionDays: integer(0, 36_500).default(30),
	concurrency: integer(1, 4096).default(256),
	perIntegration: integer(1, 4096).default(16),
	logLevel: z
		.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` })
		.default("info"),
	alertUrl: serviceUrl.optional(),
	alertSecret: secretText.optional(),
	alertAge: integer(1, 31_536_000).default(3600),
	alertEvery: integer(0, 525_600).default(60),
	metricsToken: secretText.optional(),
	metricsPort: integer(0, 65_535).optional(),
	rateLimit: integer(0, 1_000_000).default(500),
	rateLimitStore: rateStore.optional(),
	publicUrl: publicUrl.optional(),
	trustProxy: proxies.optional(),
	demo: flag.default(false),
	dev: flag.default(false),
	noWorker: flag.default(false),
	emulator: flag.default(false),
	seed: noUrl("the path of a file").optional(),
	startAt: instant.optional(),
	json: flag.default(false),
	url: serviceUrl.default("http://127.0.0.1:3000"),
	apiKey: z.string().optional(),
	secret: z.string().regex(/\S/, { error: "is empty" }).optional(),
});
export type Settings = z.infer<typeof Settings>;

export const SETTING_NAMES = Object.keys(Settings.shape) as (keyof Settings)[];

/** The variable of a member: `rateLimit` is `PARTNERWIRE_RATE_LIMIT`. */
export const toVariable = (name: string) =>
	`PARTNERWIRE_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
/** A member as its flag is written: `rateLimit` as `rate-limit`. */
export const toKebab = (name: string): string =>
	name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Merges flags over environment over defaults. Throws one `UsageError` that names every problem. It repeats no value,
 * because values may be secrets.
 */
export function readSettings(
	flags: Readonly<Record<string, unknown>>,
	env: Readonly<Record<string, string | undefined>> = process.env,
): Settings {
	const origins: Record<string, string> = {};
	const values: Record<string, unknown> = {};
	for (const name of SETTING_NAMES) {
		const flag = flags[name] ?? flags[toKebab(name)];
		const variable = toVariable(name);
		const fromEnvironment = readVariable(variable, env);
		if (flag !== undefined) {
			values[name] = flag;
			origins[name] = `--${toKebab(name)}`;
		} else if (fromEnvironment !== undefined) {
			values[name] = fromEnvironment;
			origins[name] = variable;
		}
	}
	const parsed = Settings.safeParse(values);
	if (!parsed.success) {
		const problems = parsed.error.issues.map(
			(issue) => `${origins[String(issue.path[0])]} ${issue.message}`,
		);
		throw new UsageError(problems.join("; "));
	}
	const { dev, ...settings } = parsed.data;
	if (
		(settings.alertUrl === undefined) !==
		(settings.alertSecret === undefined)
	)
		throw new UsageError(
			"--alert-url and --alert-secret need each other: alerts are signed",
		);
	return {
		...settings,
		dev,
		allowHttp: settings.allowHttp || dev,
		allowPrivate: settings.allowPrivate || dev,
	};
}

/** The signing secret, for commands that need one. Throws a `UsageError` without it. */
export function requireSecret({ secret }: Pick<Settings, "secret">): string {
	if (secret === undefined)
		throw new UsageError(
			"the signing secret is needed: set PARTNERWIRE_SECRET, or give --secret",
		);
	return secret;
}
