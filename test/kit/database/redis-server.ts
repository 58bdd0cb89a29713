import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportEngine } from "../engines.ts";
import { freePort } from "../free-port.ts";

/** A real Redis server that writes every command to disk before it answers. */
export interface RedisServer {
	readonly url: string;
	readonly port: number;
	/** `SIGKILL` is a crash. */
	stop(signal?: NodeJS.Signals): Promise<void>;
	start(): Promise<void>;
	close(): Promise<void>;
}

function readVersion(): string {
	const { stdout, error } = spawnSync("redis-server", ["--version"], {
		encoding: "utf8",
	});
	const version = /v=([\d.]+)/.exec(stdout ?? "")?.[1];
	if (error || !version)
		throw new Error(
			"These tests need redis-server, and it cannot be run: install it with `apt-get install -y redis-server` (Debian) or `brew install redis`.",
		);
	return version;
}

const isReady = (port: number) =>
	new Promise<boolean>((resolve) => {
		const socket = createConnection(port, "127.0.0.1", () =>
			socket.write("PING\r\n"),
		);
		socket.once("data", (data) => {
			socket.destroy();
			resolve(String(data).startsWith("+PONG"));
		});
		socket.once("error", () => resolve(false));
	});

/** Starts a Redis server. If there is none, the error says how to install it. */
export async function openRedis(): Promise<RedisServer> {
	const version = readVersion();
	const folder = mkdtempSync(join(tmpdir(), "partnerwire-redis-"));
	const port = await freePort();
	let child: ChildProcess;
	const server: RedisServer = {
		url: `redis://127.0.0.1:${port}`,
		port,
		async stop(signal = "SIGTERM") {
			if (child.exitCode !== null || child.signalCode !== null) return;
			child.kill(signal);
			await once(child, "exit");
		},
		async start() {
			const settings = {
				port: String(port),
				bind: "127.0.0.1",
				dir: folder,
				save: "",
				appendonly: "yes",
				appendfsync: "always",
			};
			child = spawn(
				"redis-server",
				Object.entries(settings).flatMap(([name, value]) => [
					`--${name}`,
					value,
				]),
				{ stdio: "ignore" },
			);
			while (!(await isReady(port))) {
				if (child.exitCode !== null)
					throw new Error(`redis-server ended with ${child.exitCode}`);
			}
		},
		async close() {
			await server.stop();
			rmSync(folder, { recursive: true });
		},
	};
	await server.start();
	reportEngine("Redis", version);
	return server;
}
