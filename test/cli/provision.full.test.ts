import { join } from "node:path";
import { createClient } from "@partnerwire/sdk";
import { expect, test } from "vitest";
import {
	runPartnerwire,
	startPartnerwire,
} from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

async function run(args: string[]): Promise<Record<string, unknown>[]> {
	const { code, stdout, stderr } = await runPartnerwire([...args, "--json"]);
	expect(stderr).toBe("");
	expect(code).toBe(0);
	return stdout
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line));
}

test("a company, a user and a key made on the command line open the API, until the key is revoked", async () => {
	const database = join(createTempFolder(), "test.db");
	const on = ["--database", database];
	await run(["company", "create", "Acme", ...on]);
	await run([
		"user",
		"create",
		"--email",
		"a@b.example",
		"--first-name",
		"Ada",
		"--last-name",
		"Lovelace",
		...on,
	]);
	const [key] = await run([
		"key",
		"create",
		"--label",
		"First",
		"--read",
		"--write",
		...on,
	]);
	expect(await run(["company", "module", "api_mcp", "on", ...on])).toEqual([
		{ id: "api_mcp", enabled: true },
	]);

	const service = startPartnerwire(["serve", "--port", "0", "--json", ...on]);
	const { url } = await service.line("ready");
	const client = createClient({
		baseUrl: String(url),
		apiKey: String(key?.key),
	});
	expect((await client.listApiKeys()).data).toMatchObject([
		{ label: "First", user: { first_name: "Ada" } },
	]);

	const listed = await run(["key", "list", ...on]);
	expect(listed).toHaveLength(1);
	expect(JSON.stringify(listed)).not.toContain(String(key?.key));
	await run(["key", "revoke", String(key?.uuid), ...on]);
	await expect(client.listApiKeys()).rejects.toMatchObject({
		code: "unauthorized",
		status: 401,
	});
	expect(await service.stop()).toBe(0);
});

test("an empty database without --demo says how to begin, and prints no key", async () => {
	const database = join(createTempFolder(), "test.db");
	const service = startPartnerwire([
		"serve",
		"--port",
		"0",
		"--database",
		database,
	]);
	const printed = await new Promise<string>((resolve) => {
		let text = "";
		service.child.stdout?.on("data", (chunk) => {
			text += String(chunk);
			if (text.includes("Serving")) resolve(text);
		});
	});
	expect(printed).toContain("partnerwire company create");
	expect(printed).not.toContain("pwk_");
});
