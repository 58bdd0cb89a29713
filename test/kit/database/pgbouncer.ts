import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "../code-blocks.ts";
import { reportEngine } from "../engines.ts";
import { freePort } from "../free-port.ts";
import { createTempFolder } from "../temp-folder.ts";

/** Its path in Debian's package, which is not in every PATH. */
const PROGRAM = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"];

export interface Pgbouncer {
	readonly version: string;
	/** The server's URL, through PgBouncer. */
	through(url: string): string;
	close(): Promise<void>;
}

/**
 * Starts the system's PgBouncer in front of a server, as in docs/deploy.md#pgbouncer. It has few server connections, so that many
 * clients use each in turn, with the state that earlier clients left.
 */
export async function openPgbouncer(
	server: string,
	{ settings = [] }: { settings?: readonly string[] } = {},
): Promise<Pgbouncer> {
	const program = PROGRAM.find((path) => existsSync(path));
	if (!program)
		throw new Error(
			"These tests need PgBouncer: install it with `apt-get install -y pgbouncer` (Debian).",
		);
	const { hostname, port, username, password } = new URL(server);
	const folder = createTempFolder();
	chmodSync(folder, 0o755);
	const [ini, users] = [join(folder, "pgbouncer.ini"), join(folder, "users")];
	const listenPort = await freePort();
	writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
	const block = blocksOf("docs/deploy.md").find(
		({ language }) => language === "ini",
	);
	if (!block)
		throw new TypeError("docs/deploy.md has no settings of PgBouncer");
	writeFileSync(
		ini,
		[
			block.code
				.replace(/^partnerwire = .*$/m, `* = host=${hostname} port=${port}`)
				.replace(/^auth_file = .*$/m, `auth_file = ${users}`)
				.replace(/^default_pool_size = .*$/m, "default_pool_size = 5"),
			"listen_addr = 127.0.0.1",
			`listen_port = ${listenPort}`,
			"unix_socket_dir =",
			// So that an unused database can be dropped.
			"server_idle_timeout = 5",
			...settings,
			"",
		].join("\n"),
	);
	// PgBouncer refuses to run as root.
	const isRoot = process.getuid?.() === 0;
	const child = spawn(program, [...(isRoot ? ["-u", "postgres"] : []), ini], {
		cwd: "/",
		stdio: ["ignore", "ignore", "pipe"],
	});
	let log = "";
	await new Promise<void>((resolve, reject) => {
		child.stderr.on("data", (chunk) => {
			log += String(chunk);
			if (log.includes("process up")) resolve();
		});
		child.once("exit", () =>
			reject(new Error(`PgBouncer ended before it was ready:\n${log}`)),
		);
	});
	const output = spawnSync(program, ["--version"], { encoding: "utf8" }).stdout;
	const version = /\d[\d.]+/.exec(output)?.[0] ?? "";
	reportEngine("PgBouncer", version);
	return {
		version,
		through(url) {
			const pooled = new URL(url);
			pooled.hostname = "127.0.0.1";
			pooled.port = String(listenPort);
			return pooled.toString();
		},
		async close() {
			child.kill("SIGINT");
			if (child.exitCode === null) await once(child, "exit");
		},
	};
}
