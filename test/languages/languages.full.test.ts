import { randomUUID } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { createKit } from "../../admin/src/torture/kit.ts";
import { CHECKS, runTorture } from "../../admin/src/torture/run-torture.ts";
import { type Shot, sendShot } from "../../admin/src/torture/send-shot.ts";
import { ROOT, readSource } from "../kit/sources.ts";
import { install, LANGUAGES, PAGE } from "./languages.ts";

const VECTORS = "fixtures/tokens.json";
const { vectors } = JSON.parse(readSource(VECTORS)) as {
	vectors: { name: string; verdict: "accept" | "reject" }[];
};

test.concurrent.for(LANGUAGES)(
	"$name: each token vector has its verdict",
	async (language, { expect }) => {
		const { runVectors } = await install(language);
		const accepted: boolean[] = JSON.parse(
			await runVectors(join(ROOT, VECTORS)),
		);
		expect(
			vectors.map(({ name }, index) => [
				name,
				accepted[index] ? "accept" : "reject",
			]),
		).toEqual(vectors.map(({ name, verdict }) => [name, verdict]));
	},
);

test.concurrent.for(LANGUAGES)(
	"$name: the server passes torture, and handles a delivery once, over crashes and failures",
	async (language, { expect, onTestFinished }) => {
		const { folder, url, start, readLog } = await install(language);
		const secret = randomUUID();
		const isUp = () =>
			expect
				.poll(() => fetch(url).then(({ status }) => status, readLog))
				.toBe(405);
		let kill = start(secret);
		onTestFinished(() => kill());
		await isUp();

		const results = await runTorture({ url, secret });
		expect(results.filter(({ passed }) => !passed)).toEqual([]);
		expect(results).toHaveLength(CHECKS.length);

		const kit = createKit(secret, (shot) => sendShot(url, shot, 10_000));
		const statusOf = async (shot: Shot) => (await kit.send(shot)).status;
		const open = () => new Database(join(folder, "webhooks.db"));
		/** How often the event was handled. */
		const countOf = ({ body }: Shot) => {
			const { uuid } = JSON.parse(String(body)).lead;
			const db = open();
			const { n } = db
				.prepare(
					"SELECT count(*) AS n FROM events WHERE event_id = 'lead_created' AND instr(payload, ?) > 0",
				)
				.get(uuid) as { n: number };
			db.close();
			return n;
		};

		const withJtis = ["", "", undefined, randomUUID()].map((jti) =>
			kit.shot({ claims: { jti } }),
		);
		const shots = await Promise.all(withJtis);
		for (const each of shots) {
			const copies = Array.from({ length: 4 }, () => statusOf(each));
			expect(await Promise.all(copies)).toContain(200);
			expect(await statusOf(each)).toBe(200);
			expect(countOf(each)).toBe(1);
		}

		await kill();
		kill = start(secret);
		await isUp();
		for (const each of shots) {
			expect(await statusOf(each)).toBe(200);
			expect(countOf(each)).toBe(1);
		}

		const failing = await kit.shot();
		const db = open();
		db.exec(
			"CREATE TRIGGER failure BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'the work fails'); END",
		);
		expect(await statusOf(failing)).toBe(500);
		expect(countOf(failing)).toBe(0);
		db.exec("DROP TRIGGER failure");
		db.close();
		expect(await statusOf(failing)).toBe(200);
		expect(countOf(failing)).toBe(1);
		expect(readLog()).not.toContain(secret);
	},
);

test.concurrent.for(LANGUAGES)(
	"$name: the server does not work without a secret, and says so",
	async (language, { expect, onTestFinished }) => {
		const { url, start, readLog } = await install(language);
		onTestFinished(start(""));
		const post = () => fetch(url, { method: "POST" });
		await expect
			.poll(() => post().then(readLog, readLog))
			.toContain("Set PARTNERWIRE_WEBHOOK_SECRET");
		expect([500, 502, null]).toContain(
			await post().then(
				({ status }) => status,
				() => null,
			),
		);
	},
);

test("the page's table names the languages whose servers run", () => {
	const [table = ""] = readSource(PAGE).split("\n## ");
	const names = [...table.matchAll(/^\| (\S+) +\|/gm)].map(([, name]) => name);
	expect(names.slice(2)).toEqual(LANGUAGES.map(({ name }) => name));
});
