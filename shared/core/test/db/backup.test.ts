import {
	existsSync,
	lstatSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backupSqlite } from "@partnerwire/core";
import Sqlite from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";

const ROWS = 4000;

/** A database of some thousand pages. Every transaction keeps the sum of its rows at zero. */
function openSource() {
	const folder = mkdtempSync(join(tmpdir(), "partnerwire-backup-"));
	const path = join(folder, "source.db");
	const source = new Sqlite(path);
	source.pragma("journal_mode = WAL");
	source.exec("CREATE TABLE row (id INTEGER PRIMARY KEY, value INT, pad TEXT)");
	const insert = source.prepare("INSERT INTO row (value, pad) VALUES (0, ?)");
	source.transaction(() => {
		for (let row = 0; row < ROWS; row++) insert.run("x".repeat(4000));
	})();
	onTestFinished(() => {
		source.close();
		rmSync(folder, { recursive: true });
	});
	return { folder, path, source };
}

test("writes during the copy neither start it again nor get into it by halves", async () => {
	const { folder, path, source } = openSource();
	const move = source.prepare(
		"UPDATE row SET value = value + CASE id WHEN 1 THEN 1 ELSE -1 END WHERE id IN (1, ?)",
	);
	const done: number[] = [];
	let last = 0;
	await backupSqlite(path, join(folder, "copy.db"), (pages) => {
		done.push(pages);
		move.run(ROWS);
		last++;
	});
	// The backup made progress with each step, although a write followed each step.
	expect(last).toBeGreaterThan(2);
	expect(done).toEqual([...done].sort((a, b) => a - b));
	const copy = new Sqlite(join(folder, "copy.db"));
	expect(
		copy
			.prepare(
				"SELECT sum(value) AS sum, max(value) AS most, count(*) AS rows FROM row",
			)
			.get(),
	).toEqual({ sum: 0, most: 0, rows: ROWS });
	copy.close();
	expect(source.prepare("SELECT max(value) AS most FROM row").get()).toEqual({
		most: last,
	});
	expect(
		readdirSync(folder).filter((name) => name.includes("partial")),
	).toEqual([]);
	expect(statSync(join(folder, "copy.db")).mode & 0o777).toBe(0o600);
});

test.each(["a file", "a link to a file", "a link to nothing"])(
	"%s at the copy's name stays as it was, also one that comes meanwhile",
	async (what) => {
		const { folder, path } = openSource();
		const target = join(folder, "target");
		const file = join(folder, "copy.db");
		if (what === "a link to a file") writeFileSync(target, "kept");
		const put = () => {
			if (what === "a file") writeFileSync(file, "kept");
			else if (!lstatSync(file, { throwIfNoEntry: false }))
				symlinkSync(target, file);
		};
		const refused = backupSqlite(path, file, put);
		await expect(refused).rejects.toThrow("overwrites nothing");
		await expect(backupSqlite(path, file)).rejects.toThrow(
			"overwrites nothing",
		);
		expect(existsSync(target)).toBe(what === "a link to a file");
		expect(
			statSync(what === "a file" ? file : target, { throwIfNoEntry: false })
				?.size,
		).toBe(what === "a link to nothing" ? undefined : 4);
		expect(
			readdirSync(folder).filter((name) => name.includes("partial")),
		).toEqual([]);
	},
);

describe.each(["-journal", "-wal", "-shm"])(
	"a %s that is left beside the copy's name",
	(suffix) => {
		test.each([
			["is found before anything is copied", "before"],
			["is found also when it comes meanwhile", "meanwhile"],
			["is found also as a link to nothing", "link"],
		])("%s", async (_, when) => {
			const { folder, path } = openSource();
			const file = join(folder, "copy.db");
			const left = `${file}${suffix}`;
			const put = () =>
				when === "link"
					? symlinkSync(join(folder, "nothing"), left)
					: writeFileSync(left, "kept");
			if (when !== "meanwhile") put();
			let steps = 0;
			const refused = backupSqlite(path, file, () => {
				if (steps++ === 0 && when === "meanwhile") put();
			});
			await expect(refused).rejects.toThrow(
				`${left} exists, which SQLite would apply to the copy: remove it, or give the copy another name.`,
			);
			expect(steps > 0).toBe(when === "meanwhile");
			expect(
				readdirSync(folder).filter((name) => !name.startsWith("source.db")),
			).toEqual([`copy.db${suffix}`]);
			if (when !== "link") expect(readFileSync(left, "utf8")).toBe("kept");
		});
	},
);

test("the name that the copy was given before it is whole is nobody's to guess", async () => {
	const { folder, path } = openSource();
	writeFileSync(join(folder, "copy.db.partial"), "mine");
	await backupSqlite(path, join(folder, "copy.db"));
	expect(statSync(join(folder, "copy.db.partial")).size).toBe(4);
});
