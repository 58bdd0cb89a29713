/*
 * Flags that several commands share. None has a default here: defaults, environment and flags are merged in one place,
 * `readSettings`.
 */

export const jsonFlag = {
	json: { type: "boolean", description: "Print one JSON object a line" },
} as const;

export const secretFlag = {
	secret: {
		type: "string",
		description:
			"The signing secret; better given as PARTNERWIRE_SECRET, which no process list shows",
		valueHint: "uuid",
	},
} as const;

export const databaseFlags = {
	database: {
		type: "string",
		description:
			"Path of the SQLite database (default partnerwire.db), or postgres://… of a PostgreSQL one",
		valueHint: "path|url",
	},
} as const;

export const networkFlags = {
	"allow-http": { type: "boolean", description: "Allow http: webhook URLs" },
	"allow-private": {
		type: "boolean",
		description: "Allow webhook URLs on private and loopback addresses",
	},
	dev: {
		type: "boolean",
		description: "Short for --allow-http --allow-private",
	},
	"allow-network": {
		type: "string",
		description:
			"CIDR blocks that webhook URLs may lead to, such as 10.0.0.0/8",
		valueHint: "list",
	},
	ca: {
		type: "string",
		description:
			"A PEM file of certificate authorities to trust besides the usual",
		valueHint: "path",
	},
} as const;

export const deliveryFlags = {
	"retry-schedule": {
		type: "string",
		description: "Seconds before each attempt, such as 0,5,300",
		valueHint: "list",
	},
	"pass-after": {
		type: "string",
		description:
			"Seconds that a failing delivery holds up the next of its record (default 1800)",
		valueHint: "seconds",
	},
	"retention-days": {
		type: "string",
		description:
			"Days that delivered deliveries are kept; 0 for good (default 30)",
		valueHint: "days",
	},
	concurrency: {
		type: "string",
		description: "Deliveries under way at the same time (default 256)",
		valueHint: "n",
	},
	"per-integration": {
		type: "string",
		description: "The most of them for one integration (default 16)",
		valueHint: "n",
	},
	"alert-url": {
		type: "string",
		description:
			"Where to send alerts: an integration fails, recovers, is paused or overdue",
		valueHint: "url",
	},
	"alert-secret": {
		type: "string",
		description:
			"Signs alerts like webhooks; better given as PARTNERWIRE_ALERT_SECRET",
		valueHint: "secret",
	},
	"alert-age": {
		type: "string",
		description:
			"Seconds that a delivery may be due before an alert (default 3600)",
		valueHint: "seconds",
	},
	"alert-every": {
		type: "string",
		description:
			"Minutes before the same alert of an integration may come again (default 60)",
		valueHint: "minutes",
	},
	"omit-claims": {
		type: "string",
		description:
			"Additive claims to leave out of tokens: jti, payload_sha256, sequence",
		valueHint: "list",
	},
	"token-lifetime": {
		type: "string",
		description: "Seconds that a webhook's token is valid (default 3600)",
		valueHint: "seconds",
	},
	"log-level": {
		type: "string",
		description:
			"debug logs every attempt, warn the failed ones (default info)",
		valueHint: "level",
	},
} as const;

export const metricsFlags = {
	"metrics-token": {
		type: "string",
		description:
			"Who shows it may read /metrics from anywhere; better given as PARTNERWIRE_METRICS_TOKEN",
		valueHint: "token",
	},
} as const;

export const serverFlags = {
	port: {
		type: "string",
		description: "Port to serve on; 0 takes a free one (default 3000)",
		valueHint: "port",
	},
	host: {
		type: "string",
		description: "Address to serve on (default 127.0.0.1)",
		valueHint: "address",
	},
	"public-url": {
		type: "string",
		description:
			"Where browsers reach the dashboard, such as https://partnerwire.example; needed behind a proxy",
		valueHint: "url",
	},
	"trust-proxy": {
		type: "string",
		description:
			"Proxies whose X-Forwarded-For says who calls, such as 127.0.0.1,::1; else all callers behind one share its limits",
		valueHint: "addresses",
	},
	"rate-limit-store": {
		type: "string",
		description:
			"Where requests are counted: memory, redis://… or postgres://… (default the database, if it is PostgreSQL)",
		valueHint: "url",
	},
	"rate-limit": {
		type: "string",
		description: "Requests per key and minute; 0 for no limit (default 500)",
		valueHint: "n",
	},
} as const;

export const emulatorFlags = {
	emulator: {
		type: "boolean",
		description:
			"For tests: a seeded database of its own, and a clock, faults and an inbox below /_emulator; on this machine alone",
	},
	seed: {
		type: "string",
		description: "A JSON file that the emulator is seeded from",
		valueHint: "path",
	},
	"start-at": {
		type: "string",
		description: "The time at which the emulator's clock stands still",
		valueHint: "time",
	},
} as const;

export const clientFlags = {
	url: {
		type: "string",
		description: "The service (default http://127.0.0.1:3000)",
		valueHint: "url",
	},
	"api-key": {
		type: "string",
		description:
			"An API key; better given as PARTNERWIRE_API_KEY, which no process list shows",
		valueHint: "key",
	},
} as const;

export const companyFlag = {
	company: {
		type: "string",
		description: "The company's uuid; not needed when there is only one",
		valueHint: "uuid",
	},
} as const;

export const integrationId = {
	type: "positional",
	description: "The integration's id",
	required: true,
} as const;
