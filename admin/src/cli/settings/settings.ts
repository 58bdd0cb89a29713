/*
 * The table of settings. Each row is a flag of the commands that take it, and a variable of the environment: `rateLimit` is
 * `--rate-limit` and PARTNERWIRE_RATE_LIMIT. docs/settings.md is made of it by `npm run docs:settings`.
 */
import {
	type Flag,
	type Flags,
	option,
	toggle,
	type ValuesOf,
} from "./flag.ts";
import { readDatabase } from "./read-database.ts";
import {
	addresses,
	claims,
	delays,
	integer,
	logLevel,
	networks,
	noUrl,
	origin,
	origins,
	rateStore,
	secretText,
	serviceUrl,
	signingSecret,
	text,
	time,
} from "./readers.ts";

/** The variable of a setting: `rateLimit` is `PARTNERWIRE_RATE_LIMIT`. */
export const toVariable = (name: string) =>
	`PARTNERWIRE_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`;

/** Gives each row its variable, unless it names one. The cast keeps the type of each row: only a member is added. */
const withVariables = <Rows extends Flags>(rows: Rows): Rows =>
	Object.fromEntries(
		Object.entries(rows).map(([name, row]) => [
			name,
			{ variable: toVariable(name), ...row },
		]),
	) as Rows;

const variableOnly = (description: string): Flag<string | undefined> => ({
	...option("", description, text),
	isVariableOnly: true,
});

export const databaseSettings = withVariables({
	database: {
		...option("path|url", "", readDatabase, { fallback: "partnerwire.db" }),
		description:
			"Path of the SQLite database (default partnerwire.db), or postgres://… of a PostgreSQL one",
	},
	secretKey: variableOnly(
		"The key that stored secrets are encrypted under: 32 bytes as hex or base64 (default the key file beside the SQLite database)",
	),
});

export const serverSettings = withVariables({
	port: option(
		"port",
		"Port to serve on; 0 takes a free one",
		integer(0, 65_535),
		{ fallback: 3000 },
	),
	host: option(
		"address",
		"Address to serve on",
		noUrl("an address of this machine"),
		{ fallback: "127.0.0.1" },
	),
	publicUrl: option(
		"url",
		"Where browsers reach the dashboard, such as https://partnerwire.example; needed behind a proxy",
		origin,
	),
	corsOrigin: option(
		"origins",
		"Whose pages may call the API from a browser, such as https://app.example; none by default",
		origins,
	),
	trustProxy: option(
		"addresses",
		"Proxies whose X-Forwarded-For says who calls, such as 127.0.0.1,::1; else all callers behind one share its limits",
		addresses,
	),
	rateLimitStore: option(
		"url",
		"Where requests are counted: memory, redis://… or postgres://… (default the database, if it is PostgreSQL)",
		rateStore,
	),
	rateLimit: option(
		"n",
		"Requests per key and minute; 0 for no limit",
		integer(0, 1_000_000),
		{ fallback: 500 },
	),
});

export const networkSettings = withVariables({
	allowHttp: toggle("Allow http: webhook URLs"),
	allowPrivate: toggle("Allow webhook URLs on private and loopback addresses"),
	dev: toggle("Short for --allow-http --allow-private"),
	allowNetwork: option(
		"list",
		"CIDR blocks that webhook URLs may lead to, such as 10.0.0.0/8",
		networks,
	),
	ca: option(
		"path",
		"A PEM file of certificate authorities to trust besides the usual",
		noUrl("the path of a file"),
	),
});

export const deliverySettings = withVariables({
	retrySchedule: option(
		"list",
		"Seconds before each attempt, such as 0,5,300",
		delays,
	),
	passAfter: option(
		"seconds",
		"Seconds that a failing delivery holds up the next of its record",
		integer(0, 604_800),
		{ fallback: 1800 },
	),
	retentionDays: option(
		"days",
		"Days that delivered deliveries are kept; 0 for good",
		integer(0, 36_500),
		{ fallback: 30 },
	),
	concurrency: option(
		"n",
		"Deliveries under way at the same time",
		integer(1, 4096),
		{ fallback: 256 },
	),
	perIntegration: option(
		"n",
		"The most of them for one integration",
		integer(1, 4096),
		{ fallback: 16 },
	),
	alertUrl: option(
		"url",
		"Where to send alerts: an integration fails, recovers, is paused or overdue",
		serviceUrl,
	),
	alertSecret: option(
		"secret",
		"Signs alerts like webhooks; better given as PARTNERWIRE_ALERT_SECRET",
		secretText,
	),
	alertAge: option(
		"seconds",
		"Seconds that a delivery may be due before an alert",
		integer(1, 31_536_000),
		{ fallback: 3600 },
	),
	alertEvery: option(
		"minutes",
		"Minutes before the same alert of an integration may come again",
		integer(0, 525_600),
		{ fallback: 60 },
	),
	omitClaims: option(
		"list",
		"Additive claims to leave out of tokens: jti, payload_sha256, sequence",
		claims,
	),
	tokenLifetime: option(
		"seconds",
		"Seconds that a webhook's token is valid",
		integer(1, 604_800),
		{ fallback: 3600 },
	),
	logLevel: option(
		"level",
		"debug logs every attempt, warn the failed ones",
		logLevel,
		{ fallback: "info" },
	),
});

/** Jobs of a process besides serving and delivering. */
const processSettings = withVariables({
	demo: toggle("Seed an empty database with a company to try"),
	// The `--no-` form of serve's `--worker`.
	noWorker: toggle("Only serve the API: deliver with `partnerwire worker`"),
	metricsPort: option(
		"port",
		"Port to serve /metrics on; 0 takes a free one (default none)",
		integer(0, 65_535),
	),
	metricsToken: option(
		"token",
		"Who shows it may read /metrics from anywhere; better given as PARTNERWIRE_METRICS_TOKEN",
		secretText,
	),
});

export const emulatorSettings = withVariables({
	emulator: toggle(
		"For tests: a seeded database of its own, and a clock, faults and an inbox below /_emulator; on this machine alone",
	),
	seed: option(
		"path",
		"A JSON file that the emulator is seeded from",
		noUrl("the path of a file"),
	),
	startAt: option(
		"time",
		"The time at which the emulator's clock stands still",
		time,
	),
});

export const clientSettings = withVariables({
	url: option("url", "The service", serviceUrl, {
		fallback: "http://127.0.0.1:3000",
	}),
	apiKey: option(
		"key",
		"An API key; better given as PARTNERWIRE_API_KEY, which no process list shows",
		text,
	),
});

const commandSettings = withVariables({
	from: option(
		"path|url",
		"The database that `copy` reads. Better given as PARTNERWIRE_FROM if it holds a password",
		readDatabase,
	),
	to: option(
		"path|url",
		"The database that `copy` fills; it must be new. Better given as PARTNERWIRE_TO if it holds a password",
		readDatabase,
	),
	nextSecretKey: variableOnly(
		"The key that `secrets rekey` changes to, and that `copy` encrypts under (default for a copy: the key of the source)",
	),
	secret: {
		...option(
			"uuid",
			"The signing secret (integration_uuid); better given as PARTNERWIRE_WEBHOOK_SECRET, which no process list shows",
			signingSecret,
		),
		variable: "PARTNERWIRE_WEBHOOK_SECRET",
		formerVariable: "PARTNERWIRE_SECRET",
	},
	json: toggle("Print one JSON object a line"),
});

/** The settings by the sections of docs/settings.md. */
export const SECTIONS = {
	Database: databaseSettings,
	Server: serverSettings,
	Processes: processSettings,
	"Webhook URLs": networkSettings,
	Deliveries: deliverySettings,
	Emulator: emulatorSettings,
	"A running service": clientSettings,
	"Command line": commandSettings,
};

export const SETTINGS = {
	...databaseSettings,
	...serverSettings,
	...processSettings,
	...networkSettings,
	...deliverySettings,
	...emulatorSettings,
	...clientSettings,
	...commandSettings,
};
export type Settings = ValuesOf<typeof SETTINGS>;

export const SETTING_NAMES = Object.keys(SETTINGS) as (keyof Settings)[];
