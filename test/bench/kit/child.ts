import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A process of the bench, as the process that started it sees it. */
type Calls = Record<string, (argument: never) => unknown>;
type Answer = { value: unknown } | { error: string };

export interface Child<Offered extends Calls> {
	readonly pid: number;
	/** One call at a time. */
	call<Name extends keyof Offered & string>(
		name: Name,
		argument: Parameters<Offered[Name]>[0],
	): Promise<Awaited<ReturnType<Offered[Name]>>>;
	close(): Promise<void>;
}

/** Starts a file of the bench, such as `./children/sink.ts`, as a process, which ends with this one. */
export function openChild<Offered extends Calls>(file: string): Child<Offered> {
	const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
	// The child's output goes to stderr, because the last line of stdout must be the JSON.
	const child = fork(path, { stdio: ["ignore", 2, 2, "ipc"] });
	return {
		pid: child.pid as number,
		async call(name, argument) {
			child.send({ name, argument });
			const answer = await nextAnswer(child, file);
			if ("error" in answer) throw new Error(`${file}: ${answer.error}`);
			return answer.value as never;
		},
		async close() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const exited = once(child, "exit");
			child.disconnect();
			await exited;
		},
	};
}

const nextAnswer = (child: ChildProcess, file: string): Promise<Answer> =>
	new Promise((resolve, reject) => {
		const onExit = () => reject(new Error(`${file} ended before it answered`));
		child.once("exit", onExit);
		child.once("message", (answer) => {
			child.off("exit", onExit);
			resolve(answer as Answer);
		});
	});

/** The child's side: answers calls until the parent disconnects or ends. */
export function serveCalls(calls: Calls): void {
	process.on("message", async ({ name, argument }: CallMessage) => {
		process.send?.(await answerTo(() => calls[name]?.(argument as never)));
	});
	process.once("disconnect", () => process.exit());
}

interface CallMessage {
	name: string;
	argument: unknown;
}

async function answerTo(work: () => unknown): Promise<Answer> {
	try {
		return { value: await work() };
	} catch (error) {
		return { error: error instanceof Error ? String(error.stack) : `${error}` };
	}
}
