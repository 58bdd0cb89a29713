import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { newDatabasePath } from "#kit/database/open-core.ts";
import { openSqliteStore } from "../../src/index.ts";

const script = fileURLToPath(new URL("writer-process.mjs", import.meta.url));

/** Runs the built package in another process. Answers its errors. */
async function runWriter(path: string, name: string, writes: number) {
	const { stdout } = await promisify(execFile)(process.execPath, [
		script,
		path,
		name,
		String(writes),
	]);
	return JSON.parse(stdout) as string[];
}

async function contentOf(path: string) {
	const store = openSqliteStore(path);
	const rows = await store.read.query.select().from(store.tables.setting);
	await store.close();
	return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

test("two processes that start on a new file at once lose no write and meet no lock", async () => {
	const path = newDatabasePath();
	const errors = await Promise.all([
		runWriter(path, "a", 150),
		runWriter(path, "b", 150),
	]);
	expect(errors).toEqual([[], []]);
	const { counter, ...rows } = await contentOf(path);
	expect(counter).toBe("300");
	expect(Object.keys(rows)).toHaveLength(300);
});

test("processes that come and go on one file meet no lock", async () => {
	const path = newDatabasePath();
	const comeAndGo = async (name: string) => {
		const errors: string[] = [];
		for (let turn = 0; turn < 3; turn++)
			errors.push(...(await runWriter(path, `${name}${turn}`, 8)));
		return errors;
	};
	expect(await Promise.all(["a", "b", "c"].map(comeAndGo))).toEqual([
		[],
		[],
		[],
	]);
	expect((await contentOf(path)).counter).toBe("72");
});
