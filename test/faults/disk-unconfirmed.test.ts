import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import {
	findPartnership,
	startDemoService,
} from "../kit/program/demo-service.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

/** A disk that stops confirming writes when a file of this name exists. */
const breakAt = (file: string) => `
	import fs from "node:fs";
	import { syncBuiltinESMExports } from "node:module";
	const { fdatasync } = fs;
	fs.fdatasync = (descriptor, callback) =>
		fs.existsSync(${JSON.stringify(file)})
			? callback(Object.assign(new Error("i/o error"), { code: "EIO" }))
			: fdatasync(descriptor, callback);
	syncBuiltinESMExports();
`;

test("a disk that does not confirm a write ends the service with one sentence, and the next start has what was acknowledged", async () => {
	const folder = createTempFolder();
	const broken = join(folder, "broken");
	const program = join(folder, "break.mjs");
	writeFileSync(program, breakAt(broken));
	const first = await startDemoService(folder, {
		env: { NODE_OPTIONS: `--import ${pathToFileURL(program)}` },
	});
	let log = "";
	first.child.stderr?.on("data", (chunk) => {
		log += chunk;
	});
	const ended = once(first.child, "close");
	const partnership_uuid = await findPartnership(first.client);
	const create = (company_name: string) =>
		first.client.createLead({ body: { partnership_uuid, company_name } });
	const lead = await create("Acknowledged");
	writeFileSync(broken, "");
	await expect(create("Unconfirmed")).rejects.toThrow();
	expect(await ended).toEqual([1, null]);
	const warnings = log.split("\n").filter((line) => line.includes("confirm"));
	expect(warnings).toHaveLength(1);
	expect(JSON.parse(warnings[0] as string)).toMatchObject({
		level: "error",
		message: expect.stringMatching(
			/The disk did not confirm a write \(EIO\).*next start/,
		),
	});

	const next = await startDemoService(folder, { keys: first.keys });
	const found = await next.client.getLead({ params: { uuid: lead.uuid } });
	expect(found.company_name).toBe("Acknowledged");
});
