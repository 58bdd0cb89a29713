import { once } from "node:events";
import { readdirSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { TEST_SECRET } from "@partnerwire/receiver/testing";
import { startEmulator } from "partnerwire/emulator";
import { describe, expect, onTestFinished, test } from "vitest";
import { maskCredentials } from "../../admin/src/cli/output/mask-credentials.ts";
import { toKebab } from "../../admin/src/cli/settings/flag.ts";
import { readSettings } from "../../admin/src/cli/settings/read-flags.ts";
import {
	SETTING_NAMES,
	toVariable,
} from "../../admin/src/cli/settings/settings.ts";
import { findCommand } from "../kit/program/find-command.ts";
import { runPartnerwire } from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const PASSWORD = "S3cret-7391";
const NOWHERE = "127.0.0.1:9";

/** Values that contain a password, as people and tools write them. */
const SPELLINGS: Record<string, string> = {
	plain: `postgres://ada:${PASSWORD}@${NOWHERE}/db`,
	quoted: `"postgres://ada:${PASSWORD}@${NOWHERE}/db"`,
	"in single quotes": `'postgres://ada:${PASSWORD}@${NOWHERE}/db'`,
	"with spaces around it": `  postgres://ada:${PASSWORD}@${NOWHERE}/db `,
	"with a space in it": `postgres://ada:${PASSWORD} x@${NOWHERE}/db`,
	"of an unknown scheme": `jdbc:postgresql://ada:${PASSWORD}@${NOWHERE}/db`,
	"with its password as a parameter": `jdbc:postgresql://${NOWHERE}/db?user=ada&password=${PASSWORD}`,
	"of another database": `mysql://ada:${PASSWORD}@${NOWHERE}/db`,
	"in capitals": `POSTGRES://ADA:${PASSWORD}@${NOWHERE}/DB`,
	"with broken percent-encoding": `postgres://ada:${PASSWORD}%ff%zz@${NOWHERE}/db`,
	"with a port out of range": `postgres://ada:${PASSWORD}@127.0.0.1:99999/db`,
	"with a slash in its password": `postgres://ada:12/${PASSWORD}@${NOWHERE}/db`,
	"of Redis": `redis://ada:${PASSWORD}@${NOWHERE}`,
	"of a web server": `https://ada:${PASSWORD}@${NOWHERE}/hook`,
	"of nothing but a password": PASSWORD,
};
/** Values that contain the word password or the like. A password in a host name or a path cannot be recognised. */
const KNOWABLE = Object.entries(SPELLINGS).filter(
	([, value]) => value !== PASSWORD,
);

/** The command that uses a setting, if it is not `serve`. */
const USED_BY: Record<string, string[]> = {
	url: ["ledger"],
	apiKey: ["ledger"],
	secret: ["token", "inspect", "x"],
	nextSecretKey: ["secrets", "rekey", "--yes"],
	metricsPort: ["worker"],
	seed: ["serve", "--emulator", "--port", "0"],
	startAt: ["serve", "--emulator", "--port", "0"],
};
const commandOf = (name: string): string[] =>
	USED_BY[name] ?? ["serve", "--port", "0"];

const KEY = { PARTNERWIRE_SECRET_KEY: "0".repeat(64) };
const BESIDES = {
	...KEY,
	PARTNERWIRE_API_KEY: "pwk_x",
	PARTNERWIRE_ALERT_URL: `https://${NOWHERE}/alerts`,
	PARTNERWIRE_ALERT_SECRET: "s".repeat(32),
	PARTNERWIRE_URL: `http://${NOWHERE}`,
};

/** All output of a command, including the files that it writes. A command that stays up is stopped when it is ready. */
async function saidBy(
	words: readonly string[],
	env: Record<string, string>,
): Promise<{ code: number | null; said: string }> {
	const cwd = createTempFolder();
	const { code, stdout, stderr } = await runPartnerwire([...words, "--json"], {
		cwd,
		env,
		stopsWhenReady: true,
	});
	return { code, said: [stdout, stderr, ...readdirSync(cwd)].join("\n") };
}

const isTaken = (name: string, value: string): boolean => {
	try {
		readSettings({}, { [toVariable(name)]: value });
		return true;
	} catch (refusal) {
		return !(refusal as Error).message.includes(toVariable(name));
	}
};

describe.each(Object.entries(SPELLINGS))("a value %s", (_, value) => {
	test("is refused without being repeated, in whatever variables it stands", async () => {
		const refused = SETTING_NAMES.filter(
			// These commands take it as a flag.
			(name) => name !== "json" && !isTaken(name, value),
		);
		const env = Object.fromEntries(
			refused.map((name) => [toVariable(name), value]),
		);
		const { code, said } = await saidBy(["serve"], env);
		expect(code).toBe(2);
		for (const name of refused) expect(said).toContain(toVariable(name));
		expect(said).not.toContain(PASSWORD);
	});

	const taken = SETTING_NAMES.filter((name) => isTaken(name, value));
	test.each(
		taken.filter(
			(name) => value !== PASSWORD || !/^(database|host|ca|seed)$/.test(name),
		),
	)("is used as %s without being told", async (name) => {
		const env = { ...BESIDES, [toVariable(name)]: value };
		const { said } = await saidBy(commandOf(name), env);
		expect(said).not.toContain(PASSWORD);
	});
});

const FLAGS = (
	await Promise.all(
		SETTING_NAMES.map(async (name) => {
			const words = commandOf(name);
			const { args = {} } = await findCommand(words);
			const def = (args as Record<string, { type?: string }>)[toKebab(name)];
			return def?.type === "string" ? [[name, words] as const] : [];
		}),
	)
).flat();

test.each(FLAGS)("--%s tells no value either", async (name, words) => {
	for (const [, value] of KNOWABLE.filter(([spelling]) =>
		/unknown|range/.test(spelling),
	)) {
		const flag = [`--${toKebab(name)}`, value];
		const { said } = await saidBy([...words, ...flag], BESIDES);
		expect(said).not.toContain(PASSWORD);
	}
});

const WEB = `https://ada:${PASSWORD}@${NOWHERE}/hook`;
const DATABASE = `postgres://ada:${PASSWORD}@${NOWHERE}/db`;
test.each([
	[[DATABASE]],
	[["serve", DATABASE]],
	[["serve", `--${DATABASE}`]],
	[["serve", `--databse=${DATABASE}`]],
	[["serve", "--demo=".concat(DATABASE)]],
	[["deliveries", DATABASE]],
	[["backup", "x.db", "--database", `jdbc:${DATABASE}`]],
	[["inbox", "list", "--database", DATABASE]],
	[["inbox", "list", "--database", `jdbc:${DATABASE}`]],
	[["company", "create", "Acme", "--database", DATABASE]],
	[["company", "module", DATABASE, "on"]],
	[["listen", "--secret", TEST_SECRET, "--forward", WEB]],
	[["trigger", "lead_created", "--secret", TEST_SECRET, "--url", WEB]],
	[["trigger", WEB, "--secret", TEST_SECRET, "--url", WEB]],
	[["torture", WEB, "--secret", TEST_SECRET]],
	[["token", "inspect", WEB]],
	[["completion", WEB]],
])("%j is refused without the password", async (words) => {
	const { code, said } = await saidBy(words, KEY);
	expect(code).not.toBe(0);
	expect(said).not.toContain(PASSWORD);
});

test("a service's refusal of a webhook URL tells no password", async () => {
	const emulator = await startEmulator();
	onTestFinished(emulator.close);
	const words = ["integration", "create", "--label", "CRM"];
	const { code, said } = await saidBy([...words, "--webhook-url", WEB], {
		PARTNERWIRE_URL: emulator.url,
		PARTNERWIRE_API_KEY: emulator.keys.full,
	});
	expect(code).toBe(1);
	expect(said).toContain("must not hold a user name or password");
	expect(said).not.toContain(PASSWORD);
});

test.each([
	"jdbc:postgresql://h/db",
	"mysql://h/db",
	"sqlite:rel.db",
	"file:rel.db",
	"postgres:rel",
	"POSTGRES_URL",
	"$POSTGRES_URL",
	"$" + "{DATABASE_URL}",
])("the database %s is a usage error, and makes no file", async (value) => {
	for (const given of [value, ` "${value}" `]) {
		const env = { PARTNERWIRE_DATABASE: given };
		const cwd = createTempFolder();
		const { code, stderr } = await runPartnerwire(
			["company", "create", "Acme"],
			{ cwd, env },
		);
		expect([code, readdirSync(cwd)]).toEqual([2, []]);
		expect(stderr).toContain("a file, or a postgres:// URL");
	}
});

test.each(['"my data.db"', " my data.db ", "./POSTGRES_URL", "'./a:b.db'"])(
	"the database %s is a file",
	async (value) => {
		const cwd = createTempFolder();
		const ended = await runPartnerwire(["company", "create", "Acme"], {
			cwd,
			env: { PARTNERWIRE_DATABASE: value },
		});
		expect([ended.code, ended.stderr]).toEqual([0, ""]);
		const name = value.replace(/^['" ]+|['" ]+$|\.\//g, "");
		expect(readdirSync(cwd)).toContain(name);
	},
);

/** A server that echoes what it gets. */
async function openServer(
	answer: (socket: Socket, sent: Buffer) => void,
): Promise<string> {
	const server = createServer((socket) => {
		socket.on("error", () => {});
		socket.on("data", (sent) => answer(socket, sent));
	}).listen(0, "127.0.0.1");
	onTestFinished(() => void server.close());
	await once(server, "listening");
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Builds a message of PostgreSQL: its kind, its length, and its content. */
const toMessage = (kind: string, rest: Buffer) => {
	const length = Buffer.alloc(4);
	length.writeInt32BE(rest.length + 4);
	return Buffer.concat([Buffer.from(kind), length, rest]);
};

test("a database that refuses the password, and repeats it, is reported without it", async () => {
	const host = await openServer((socket, sent) => {
		// The server asks for the password in plain text, and quotes it.
		if (sent[0] !== "p".charCodeAt(0))
			return void socket.write(toMessage("R", Buffer.from([0, 0, 0, 3])));
		const said = `SFATAL\0C28P01\0Mno password ${PASSWORD} for ada\0\0`;
		socket.end(toMessage("E", Buffer.from(said)));
	});
	const database = `postgres://ada:${PASSWORD}@${host}/db`;
	for (const words of [["serve"], ["worker"], ["inbox", "list"]]) {
		const { code, said } = await saidBy(words, {
			...KEY,
			PARTNERWIRE_DATABASE: database,
		});
		expect(code).toBe(1);
		expect(said).toMatch(/refuses the password|28P01/);
		expect(said).not.toContain(PASSWORD);
	}
});

test("a Redis that refuses the password, and repeats it, is reported without it", async () => {
	const host = await openServer((socket) => {
		socket.write(`-WRONGPASS invalid password ${PASSWORD}\r\n`);
	});
	const { said } = await saidBy(["serve", "--port", "0"], {
		PARTNERWIRE_RATE_LIMIT_STORE: `redis://ada:${PASSWORD}@${host}`,
	});
	expect(said).toContain('"event":"ready"');
	expect(said).not.toContain(PASSWORD);
});

test.each([
	[
		`cannot reach postgres://ada:${PASSWORD}@db.example/x: gone`,
		"cannot reach postgres://***@db.example/x: gone",
	],
	[`two: a://u:${PASSWORD}@x b://v:${PASSWORD}@y`, "two: a://***@x b://***@y"],
	[`a://u:${PASSWORD}/@1@x`, "a://***@x"],
	[`dsn host=h password=${PASSWORD} port=1`, "dsn host=h password=*** port=1"],
	[`{"secret": "${PASSWORD}"}`, '{"secret": "***"}'],
	[`no key pwk_${PASSWORD}`, "no key pwk_***"],
	[
		"http://127.0.0.1:9 cannot be reached: write to ada@example.com",
		"http://127.0.0.1:9 cannot be reached: write to ada@example.com",
	],
	[
		"set PARTNERWIRE_WEBHOOK_SECRET, or give --secret",
		"set PARTNERWIRE_WEBHOOK_SECRET, or give --secret",
	],
])("%s is told as %s", (text, masked) => {
	expect(maskCredentials(text)).toBe(masked);
});
