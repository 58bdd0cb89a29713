// One of several processes on one database file: adds to a shared counter and writes rows of its own, many at a time.
import { openSqliteStore } from "@partnerwire/core";
import { eq } from "drizzle-orm";

const [path, name, writes] = process.argv.slice(2);
const errors = [];
try {
	const store = openSqliteStore(path);
	const writeOne = (n) =>
		store.write(async ({ query, tables: { setting } }) => {
			const [row] = await query
				.select()
				.from(setting)
				.where(eq(setting.name, "counter"));
			if (row) {
				const value = String(Number(row.value) + 1);
				await query
					.update(setting)
					.set({ value })
					.where(eq(setting.name, "counter"));
			} else
				await query.insert(setting).values({ name: "counter", value: "1" });
			await query.insert(setting).values({ name: `${name}-${n}`, value: "x" });
		});
	const lanes = Array.from({ length: 8 }, async (_, lane) => {
		for (let n = lane; n < Number(writes); n += 8)
			await writeOne(n).catch((error) => errors.push(String(error)));
	});
	await Promise.all(lanes);
	await store.close();
} catch (error) {
	errors.push(String(error));
}
console.log(JSON.stringify(errors));
