import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { openApi } from "../kit/program/api.ts";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/sdk.md"), "utf8");

test("the examples of docs/sdk.md run as they stand, one after the other", async () => {
	const blocks = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, js]) => js);
	const check =
		'console.log((await client.listLeads({ query: { search: "initech" } })).data);';
	const api = await openApi();
	const child = spawn(
		process.execPath,
		["--input-type=module", "--eval", [...blocks, check].join("\n")],
		{
			cwd: ROOT,
			env: {
				...process.env,
				PARTNERWIRE_URL: api.url,
				PARTNERWIRE_API_KEY: api.seeded.keys.full,
			},
			stdio: ["ignore", "pipe", "inherit"],
		},
	);
	const [printed] = await Promise.all([
		text(child.stdout),
		once(child, "exit"),
	]);
	expect(printed).toBe("Initech Globex\nnot_found 404\n[]\n");
	await api.close();
});
