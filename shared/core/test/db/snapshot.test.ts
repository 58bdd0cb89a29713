// `readSnapshot`: several statements read the database as it was at one moment, while others write.

import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newDatabase } from "#kit/database/database.ts";
import { openStore, type Store } from "../../src/index.ts";

let store: Store;
beforeAll(async () => {
	store = await openStore(await newDatabase());
});
afterAll(() => store.close());

type Db = Store["read"];
const add = (name: string) =>
	store.write((db) =>
		db.query.insert(db.tables.setting).values({ name, value: "" }),
	);
const namesOf = async ({ query, tables: { setting } }: Db) =>
	(await query.select({ name: setting.name }).from(setting)).map(
		({ name }) => name,
	);

test("a read sees the moment of its first statement, and one that begins later sees a later one", async () => {
	await add("first");
	await store.readSnapshot(async (outer) => {
		expect(await namesOf(outer)).toContain("first");
		await add("second");
		await store.readSnapshot(async (inner) => {
			expect(await namesOf(inner)).toContain("second");
			await add("third");
			expect(await namesOf(inner)).not.toContain("third");
		});
		expect(await namesOf(outer)).not.toContain("second");
		expect(await namesOf(store.read)).toContain("third");
	});
	expect(await store.readSnapshot(namesOf)).toContain("third");
});

test("a read that throws ends its transaction: the next ones see what was written since", async () => {
	for (let times = 0; times < 12; times++) {
		const failed = store.readSnapshot(async (db) => {
			await namesOf(db);
			// A statement that fails, or a refusal of the work's own.
			if (times % 2) throw new RangeError("never mind");
			await db.query
				.select({ x: sql`no_such_function()` })
				.from(db.tables.setting);
		});
		await expect(failed).rejects.toThrow();
		await add(`after failure ${times}`);
		expect(await store.readSnapshot(namesOf)).toContain(
			`after failure ${times}`,
		);
	}
});

test("nothing can be written in it", async () => {
	const written = store.readSnapshot((db) =>
		db.query.insert(db.tables.setting).values({ name: "never", value: "" }),
	);
	await expect(written).rejects.toThrow();
	expect(await namesOf(store.read)).not.toContain("never");
});
