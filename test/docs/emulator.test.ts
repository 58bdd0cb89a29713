import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startEmulator } from "partnerwire/emulator";
import { expect, onTestFinished, test } from "vitest";
import {
	DELIVERY_FAULTS,
	REQUEST_FAULTS,
} from "../../admin/src/emulator/fault-rules.ts";
import { startPartnerwire } from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/emulator.md"), "utf8");
const blocks = (language: string) =>
	[...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(
		([, code]) => code as string,
	);

test("the test of the page is one that runs: emulator-example.test.ts", () => {
	const example = join(import.meta.dirname, "emulator-example.test.ts");
	expect(blocks("ts")).toEqual([readFileSync(example, "utf8")]);
});

const SEED = {
	company: { name: "Own" },
	users: [{ first_name: "A", last_name: "B", email: "a@b.example" }],
};

test("the commands of the page run as they stand", async () => {
	const [serve = "", ...others] = blocks("sh");
	const cwd = createTempFolder();
	writeFileSync(join(cwd, "seed.json"), JSON.stringify(SEED));
	for (const line of serve.trim().split("\n")) {
		const [program, ...words] = line.replace(/ --port \d+/, "").split(" ");
		expect(program).toBe("partnerwire");
		const started = startPartnerwire([...words, "--port", "0", "--json"], {
			cwd,
		});
		await started.line("ready");
		expect(await started.stop()).toBe(0);
	}
	const emulator = await startEmulator();
	onTestFinished(emulator.close);
	const lines = others.flatMap((block) => block.trim().split("\n"));
	expect(lines.length).toBeGreaterThan(15);
	for (const line of lines) {
		if (line.includes("inbox/1"))
			await fetch(emulator.inbox.url(), { method: "POST" });
		const command = line.replace("http://127.0.0.1:3000", emulator.url);
		expect(command, line).toContain(emulator.url);
		const child = spawn("bash", ["-c", `${command} -sS -w '\n%{http_code}'`], {
			env: { ...process.env, KEY: emulator.keys.full },
			stdio: ["ignore", "pipe", "inherit"],
		});
		const [said] = await Promise.all([text(child.stdout), once(child, "exit")]);
		const expected = line.includes("Fault: 429") ? /429$/ : /20[01]$/;
		expect(said, line).toMatch(expected);
	}
});

test("the page names every kind of fault, every option and every route", () => {
	for (const kind of [...REQUEST_FAULTS, ...DELIVERY_FAULTS])
		expect(page).toContain(`\`${kind}\``);
	const routes = readFileSync(
		join(ROOT, "admin/src/emulator/routes.ts"),
		"utf8",
	);
	const paths = [...routes.matchAll(/"(\/_emulator\/[a-z/]+)"/g)];
	expect(paths.length).toBeGreaterThan(8);
	for (const [, path] of paths) expect(page).toContain(path);
});
