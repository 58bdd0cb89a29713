import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { send } from "@partnerwire/dispatcher";
import { expect, onTestFinished, test } from "vitest";
import leadCreated from "../../fixtures/events/lead_created.json" with {
	type: "json",
};

const ROOT = join(import.meta.dirname, "../..");
const readme = readFileSync(join(ROOT, "README.md"), "utf8");

const blocks = (language: string) =>
	[...readme.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(
		([, code]) => code as string,
	);

test("the first screen is one sentence, the two commands and eight lines of receiver code", () => {
	const [commands] = blocks("sh");
	expect(commands).toMatch(/^npm ci && npm start .*\nnpm ci && npm test .*\n$/);
	const [example] = blocks("ts");
	expect(example?.trim().split("\n")).toHaveLength(8);
	expect(readme.indexOf("```ts")).toBeLessThan(900);
});

test("the receiver of the README runs as it stands", async () => {
	const [example] = blocks("ts");
	const code = (example as string).replace(
		"listen(4400)",
		"listen(0, '127.0.0.1', function () { console.log(this.address().port); })",
	);
	expect(code).not.toBe(example);
	const secret = randomUUID();
	const child = spawn(
		process.execPath,
		["--input-type=module", "--eval", code],
		{
			cwd: ROOT,
			env: { ...process.env, PARTNERWIRE_WEBHOOK_SECRET: secret },
			stdio: ["ignore", "pipe", "inherit"],
		},
	);
	onTestFinished(() => {
		child.kill();
	});
	const lines = createInterface({ input: child.stdout })[
		Symbol.asyncIterator
	]();
	const port = (await lines.next()).value;

	const result = await send({
		url: `http://127.0.0.1:${port}/hook`,
		secret,
		event: "lead_created",
		entity: leadCreated.lead as never,
		configuration: leadCreated.configuration,
		companyUuid: randomUUID(),
		userUuid: randomUUID(),
		wireOptions: { allowHttp: true, allowPrivate: true },
	});
	expect(result).toMatchObject({ delivered: true, status: 200 });
	expect((await lines.next()).value).toContain(
		`new lead ${leadCreated.lead.uuid}`,
	);
});

test("every file that the README links to is there", () => {
	const links = [...readme.matchAll(/\]\((?!http)([^)#]+)\)/g)].map(
		([, path]) => path as string,
	);
	expect(links.length).toBeGreaterThan(3);
	for (const path of links) {
		expect(() => readFileSync(join(ROOT, path)), path).not.toThrow();
	}
});
