import { expect, test } from "vitest";
import { runPartnerwire } from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const ID = "0190b1e0-0000-7000-8000-000000000001";

test("--help answers without colours when there is no terminal", async () => {
	const { code, stdout } = await runPartnerwire(["--help"]);
	expect(code).toBe(0);
	for (const command of [
		"serve",
		"worker",
		"demo",
		"listen",
		"trigger",
		"torture",
		"token",
		"company",
		"user",
		"key",
		"integration",
		"inbox",
	]) {
		expect(stdout).toContain(command);
	}
	expect(stdout).not.toContain("\u001b");
});

test("demo --help says where its database is", async () => {
	const { stdout } = await runPartnerwire(["demo", "--help"]);
	expect(stdout).toContain("temporary folder");
	expect(stdout).not.toContain("partnerwire.db");
});

type Misuse = [what: string, args: string[], said: RegExp];
const MISUSES: Misuse[] = [
	["an unknown command", ["serv"], /Unknown command serv/],
	["an unknown subcommand", ["key", "crate"], /Unknown command crate/],
	["an unknown flag", ["serve", "--prot", "3"], /unknown flag --prot/],
	["no as yes", ["secrets", "rekey", "--yes=no"], /--yes is true or false/],
	[
		"a status that the forward target decides",
		[
			...["listen", "--secret", "s", "--status", "202"],
			...["--forward", "http://127.0.0.1:9/hook"],
		],
		/--status does nothing with --forward/,
	],
	...["localhost", "127.0.0.1", "127.8.0.1", "[::1]", "0.0.0.0"].map(
		(host): Misuse => [
			`forwarding to itself as ${host}`,
			["listen", "--secret", "s", "--forward", `http://${host}:4400/any`],
			/is this listener itself/,
		],
	),
	["a word too many", ["serve", "now"], /1 words given, 0 expected/],
	["an empty word", ["deliveries", "skip", ""], /the id is empty/],
	["a missing argument", ["company", "create"], /NAME/],
	["a missing flag", ["listen"], /secret/],
	[
		"two bad values at once",
		["serve", "--port", "x", "--rate-limit", "y"],
		/--port .*; --rate-limit /,
	],
	[
		"a bad schedule",
		["serve", "--retry-schedule", "soon"],
		/--retry-schedule must be seconds/,
	],
	[
		"an unknown event",
		["trigger", "lead_moved", "--url", "http://127.0.0.1:9", "--secret", "s"],
		/no event lead_moved/,
	],
	[
		"an unknown module",
		["company", "module", "chess", "on"],
		/no module chess/,
	],
	["no API key", ["integration", "list"], /PARTNERWIRE_API_KEY/],
	[
		"an API key that was not copied whole",
		["integration", "list", "--api-key", "pwk_…"],
		/the API key holds a character that no key has/,
	],
	[
		"a URL of another protocol",
		["integration", "list", "--api-key", "pwk_x", "--url", "ftp://localhost"],
		/--url must be an http: or https: URL/,
	],
	[
		"a URL with a password",
		["ledger", "--api-key", "pwk_x", "--url", "http://a:b@localhost"],
		/--url must be .*without a user and password/,
	],
	...["abc", "0.5", "0", "10001"].map(
		(rate): Misuse => [
			`the rate ${rate}`,
			["integration", "resume", ID, "--api-key", "pwk_x", "--rate", rate],
			/--rate must be a whole number from 1 to 10000/,
		],
	),
	...["tomorrow", "2026-12-01", "2026-13-01T00:00:00Z"].map(
		(time): Misuse => [
			`the cutover ${time}`,
			[
				...["integration", "rotate", ID, "--api-key", "pwk_x"],
				...["--cutover-at", time],
			],
			/--cutover-at must be .*such as 2026-12-01T00:00:00Z/,
		],
	),
	...["60", "+60s", "0s", "1.5h", "1w", "9999999d", "tomorrow"].map(
		(duration): Misuse => [
			`the cutover in ${duration}`,
			[
				...["integration", "rotate", ID, "--api-key", "pwk_x"],
				...["--cutover-in", duration],
			],
			/--cutover-in must be .*such as 90s, 15m, 1h or 2d/,
		],
	),
	...(
		[
			[[], /--cutover-in 1h, .* --cutover-at TIME; or --now/],
			[["--replace"], /--cutover-in 1h, .* --cutover-at TIME; or --now/],
			[["--now", "--cancel"], /give one of --now and --cancel/],
			[
				["--cutover-in", "1h", "--cutover-at", "2999-01-01T00:00:00Z"],
				/give one of --cutover-in and --cutover-at/,
			],
			[["--cancel", "--replace"], /--replace is for a new one/],
		] as const
	).map(
		([flags, naming]): Misuse => [
			`a rotation with ${flags.join(" ") || "no time, and nobody to ask"}`,
			["integration", "rotate", ID, "--api-key", "pwk_x", ...flags],
			naming,
		],
	),
	[
		"an unknown event of an integration",
		[
			...["integration", "create", "--api-key", "pwk_x", "--label", "CRM"],
			...["--webhook-url", "https://crm.example/hook"],
			...["--events", "lead_created, lead_moved"],
		],
		/there is no event lead_moved; known: /,
	],
	...["99", "0", "600", "2xx"].map(
		(status): Misuse => [
			`the status ${status}`,
			["listen", "--secret", "s", "--status", status],
			/--status must be a whole number from 200 to 599/,
		],
	),
	...["held", "lost,failed", ","].map(
		(statuses): Misuse => [
			`replaying the statuses ${statuses}`,
			[
				...["deliveries", "replay", "--api-key", "pwk_x"],
				...["--integration", ID, "--status", statuses],
			],
			/--status (must be words separated by commas, of|has no \w+; known:) delivered, failed/,
		],
	),
	[
		"a short metrics token",
		["worker", "--metrics-token", "x"],
		/--metrics-token must have at least 16/,
	],
	[
		"a public URL with a path",
		["serve", "--public-url", "https://partnerwire.example/admin"],
		/--public-url must be an origin/,
	],
	[
		"an origin for all pages",
		["serve", "--cors-origin", "https://a.example,*"],
		/--cors-origin must be an http: or https: URL/,
	],
	[
		"an alert URL without a secret",
		["worker", "--alert-url", "https://ops.example/alerts"],
		/--alert-url and --alert-secret need each other/,
	],
	[
		"a purge without --yes",
		[
			...["deliveries", "purge", "--api-key", "pwk_x"],
			...["--integration", ID, "--status", "failed"],
		],
		/--dry-run, then give --yes/,
	],
	...[":memory:", "file:x.db", ""].map(
		(path): Misuse => [
			`the database "${path}"`,
			["serve", "--database", path],
			/--database must be the path of a file/,
		],
	),
];

test.each(MISUSES)(
	"%s exits 2 and says what is wrong",
	async (_, args, expected) => {
		const { code, stderr, stdout } = await runPartnerwire(args);
		expect(stderr).toMatch(expected);
		expect(stderr).toMatch(/--help$/m);
		expect(code).toBe(2);
		expect(stdout).toBe("");
		expect(stderr).not.toContain("pwk_…");
	},
);

test("no command at all shows the usage and exits 2", async () => {
	const { code, stdout } = await runPartnerwire([]);
	expect(code).toBe(2);
	expect(stdout).toContain("USAGE");
});

test("the environment sets what flags do not, and a bad variable is named without its value", async () => {
	const { code, stderr } = await runPartnerwire(["serve"], {
		env: { PARTNERWIRE_PORT: "hunter2" },
		cwd: createTempFolder(),
	});
	expect(stderr).toContain("PARTNERWIRE_PORT must be a whole number");
	expect(stderr).not.toContain("hunter2");
	expect(code).toBe(2);
});
