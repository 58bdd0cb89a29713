import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	chmodSync,
	chownSync,
	existsSync,
	mkdirSync,
	readdirSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { freePort } from "../free-port.ts";
import { createTempFolder } from "../temp-folder.ts";
import { POSTGRES_READY } from "./postgres.ts";

const ROOT = "/usr/lib/postgresql";
const PASSWORD = "postgres";

/** The newest version of Debian's packages. */
function findPrograms(): string {
	const versions = existsSync(ROOT) ? readdirSync(ROOT) : [];
	const [newest] = versions.sort((a, b) => Number(b) - Number(a));
	if (!newest)
		throw new Error(
			"These tests need the system's PostgreSQL: install it with `apt-get install -y postgresql` (Debian).",
		);
	return join(ROOT, newest, "bin");
}

const idOf = (what: "-u" | "-g") =>
	Number(spawnSync("id", [what, "postgres"], { encoding: "utf8" }).stdout);

/** Starts the system's PostgreSQL with a folder of its own and these settings of `postgresql.conf`. */
export async function openSystemPostgres(settings: readonly string[]) {
	const programs = findPrograms();
	const folder = createTempFolder();
	chmodSync(folder, 0o755);
	const data = join(folder, "data");
	mkdirSync(data, { mode: 0o700 });
	// PostgreSQL refuses to run as root.
	const isRoot = process.getuid?.() === 0;
	const as = isRoot ? { uid: idOf("-u"), gid: idOf("-g") } : {};
	if (isRoot) chownSync(data, idOf("-u"), idOf("-g"));
	const passwordFile = join(folder, "password");
	writeFileSync(passwordFile, PASSWORD);
	const made = spawnSync(
		join(programs, "initdb"),
		[
			...["-D", data, "-U", "postgres", "-E", "UTF8", "--no-sync"],
			...["-A", "scram-sha-256", "--pwfile", passwordFile],
		],
		{ ...as, cwd: "/", encoding: "utf8" },
	);
	if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
	const port = await freePort();
	const child = spawn(
		join(programs, "postgres"),
		[
			...["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", ""],
			...settings.flatMap((setting) => ["-c", setting]),
		],
		{ ...as, cwd: "/", stdio: ["ignore", "ignore", "pipe"] },
	);
	let log = "";
	await new Promise<void>((resolve, reject) => {
		child.stderr.on("data", (chunk) => {
			log += String(chunk);
			if (POSTGRES_READY.test(log)) resolve();
		});
		child.once("exit", () =>
			reject(new Error(`PostgreSQL ended before it was ready:\n${log}`)),
		);
	});
	return {
		url: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
		async close() {
			child.kill("SIGINT");
			if (child.exitCode === null) await once(child, "exit");
		},
	};
}
