import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { expectBuiltCli } from "../built.ts";

const BIN = join(import.meta.dirname, "../../../admin/bin/partnerwire.js");
const PATIENCE_MS = 30_000;

interface Line {
	event?: string;
	[member: string]: unknown;
}

/** The command line as a real process, whose `--json` lines can be read one by one. */
export interface Partnerwire {
	readonly child: ChildProcess;
	/** The next line with this `event`. Lines before it are skipped. */
	line(event: string): Promise<Line>;
	/** Sends the signal, and resolves to the exit code (null if the signal itself ended the process). */
	stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface Finished {
	code: number | null;
	stdout: string;
	stderr: string;
}

interface CliOptions {
	cwd?: string;
	env?: Record<string, string>;
	/** `pipe` to type as a person would. */
	stdin?: "ignore" | "pipe";
	/** A redirection for the shell, such as `2>/dev/full`. */
	redirect?: string;
	/** A limit of the shell's `ulimit`, such as `-f 0`: no file may grow. */
	limit?: string;
}

/** Starts the command line, which must be built from the current sources. */
function spawnCli(
	args: readonly string[],
	{ cwd, env = {}, stdin = "ignore", redirect = "", limit = "" }: CliOptions,
) {
	expectBuiltCli();
	const program = [process.execPath, BIN, ...args];
	// The shell is replaced by the program, so that signals reach it.
	const script = `${limit && `ulimit ${limit} && `}exec "$@" ${redirect}`;
	const [command = "", ...words] =
		redirect || limit ? ["sh", "-c", script, "sh", ...program] : program;
	const child = spawn(command, words, {
		cwd,
		env: environment(env),
		stdio: ["pipe", "pipe", "pipe"],
	});
	if (stdin === "ignore") child.stdin.end();
	return child;
}

/** Without npm's variables, which would make the program take a second signal for npm's copy of the first. */
const environment = (extra: Record<string, string>) => ({
	...Object.fromEntries(
		Object.entries(process.env).filter(
			([name]) => !/^(PARTNERWIRE|npm)_/.test(name),
		),
	),
	NO_COLOR: "1",
	...extra,
});

/** Starts a command that stays up. If it still runs when the test ends, it is killed. */
export function startPartnerwire(
	args: readonly string[],
	options: CliOptions = {},
): Partnerwire {
	const child = spawnCli(args, options);
	onTestFinished(() => {
		child.kill("SIGKILL");
	});
	const errors: string[] = [];
	child.stderr?.on("data", (chunk) => errors.push(String(chunk)));
	const exited = once(child, "exit") as Promise<[number | null]>;
	const lines = createInterface({
		input: child.stdout as NodeJS.ReadableStream,
	})[Symbol.asyncIterator]();

	return {
		child,
		line: (event) =>
			withPatience(
				readLine(lines, event, errors),
				`a "${event}" line of partnerwire ${args.join(" ")}`,
			),
		async stop(signal = "SIGTERM") {
			child.kill(signal);
			const [code] = await withPatience(exited, "the exit of partnerwire");
			return code;
		},
	};
}

async function readLine(
	lines: AsyncIterator<string>,
	event: string,
	errors: readonly string[],
): Promise<Line> {
	for (;;) {
		const { done, value } = await lines.next();
		if (done)
			throw new Error(
				`partnerwire ended without a "${event}" line: ${errors.join("")}`,
			);
		const line = JSON.parse(value) as Line;
		if (line.event === event) return line;
	}
}

/** Runs a command to its end. */
export async function runPartnerwire(
	args: readonly string[],
	options: Omit<CliOptions, "stdin"> & {
		/** Its standard output is closed. */
		isClosed?: boolean;
		/** Stops a command that stays up when it is ready. It must report that in JSON. */
		stopsWhenReady?: boolean;
	} = {},
): Promise<Finished> {
	const child = spawnCli(args, options);
	if (options.isClosed) child.stdout.destroy();
	let stdout = "";
	let stderr = "";
	child.stdout.on("data", (chunk) => {
		stdout += String(chunk);
		if (options.stopsWhenReady && stdout.includes('"event":"ready"'))
			child.kill();
	});
	child.stderr.on("data", (chunk) => {
		stderr += String(chunk);
	});
	try {
		const [code] = (await withPatience(
			once(child, "close"),
			`partnerwire ${args.join(" ")}`,
		)) as [number | null];
		return { code, stdout, stderr };
	} finally {
		child.kill("SIGKILL");
	}
}

async function withPatience<Result>(
	awaited: Promise<Result>,
	what: string,
): Promise<Result> {
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<never>((_, reject) => {
		timer = setTimeout(
			() => reject(new Error(`waited ${PATIENCE_MS} ms for ${what}`)),
			PATIENCE_MS,
		);
	});
	try {
		return await Promise.race([awaited, timeout]);
	} finally {
		clearTimeout(timer);
	}
}
