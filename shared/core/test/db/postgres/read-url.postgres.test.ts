// A `read_url` that leads elsewhere is refused at the start. admin/test/service/read-replica.postgres.test.ts reads from a real standby.

import { expect, inject, onTestFinished, test } from "vitest";
import { newDatabase, tamper } from "#kit/database/database.ts";
import { openPostgres } from "#kit/database/postgres.ts";
import { toReason } from "#kit/to-reason.ts";
import { openStore, type ReplicaChange } from "../../../src/index.ts";

const url = await newDatabase();

const edited = (of: string, edit: (url: URL) => void) => {
	const copy = new URL(of);
	edit(copy);
	return copy.toString();
};
const withRead = (readUrl: string) =>
	edited(url, ({ searchParams }) => searchParams.set("read_url", readUrl));

async function openReading(database: string) {
	const changes: ReplicaChange[] = [];
	const store = await openStore(database, {
		replica: { onChange: (change) => changes.push(change) },
	});
	onTestFinished(() => store.close());
	return { store, changes };
}

test.each<[string, () => string, RegExp]>([
	[
		"another database of the server",
		() => inject("postgres"),
		/leads to the database postgres and not to test_/,
	],
	[
		"another schema",
		() =>
			edited(url, ({ searchParams }) =>
				searchParams.set("options", "-csearch_path=public"),
			),
		/leads to the schema public and not to crm/,
	],
	[
		"a schema that is not there",
		() =>
			edited(url, ({ searchParams }) =>
				searchParams.set("options", "-csearch_path=nowhere"),
			),
		/leads to no schema and not to crm/,
	],
	[
		"a wrong password",
		() =>
			edited(url, (one) => {
				one.password = "s3cret";
			}),
		/refuses the password/,
	],
	[
		"a server without TLS",
		() =>
			edited(url, ({ searchParams }) => searchParams.set("sslmode", "require")),
		/takes no TLS/,
	],
	["an unknown sslmode", () => `${url}&sslmode=x`, /takes sslmode=/],
	[
		"no URL of PostgreSQL",
		() => "mysql://x:s3cret@h/d",
		/needs a postgres:\/\/ URL as read_url/,
	],
])(
	"%s is refused at the start in one sentence without the password",
	async (_, toRead, says) => {
		const reason = await toReason(openReading(withRead(toRead())));
		expect(reason).toMatch(says);
		expect(reason).not.toContain("s3cret");
	},
);

test("another server is refused", async () => {
	const other = await openPostgres(["fsync=off"]);
	onTestFinished(() => other.close());
	expect(await toReason(openReading(withRead(other.url)))).toMatch(
		/is no standby of the database's server/,
	);
});

test("a server that cannot be reached is no reason not to start, nor is the primary itself", async () => {
	for (const [readUrl, why] of [
		["postgres://x:s3cret@127.0.0.1:1/d", "cannot be used (ECONNREFUSED)"],
		[url, "is not a standby"],
	] as const) {
		const { store, changes } = await openReading(withRead(readUrl));
		expect(changes).toMatchObject([{ serves: false, why }]);
		expect(JSON.stringify(changes)).not.toContain("s3cret");
		expect(store.replica?.serves()).toBe(false);
	}
});

test("without hooks, as in a worker, nothing connects to it", async () => {
	const store = await openStore(withRead("postgres://x@127.0.0.1:1/none"));
	onTestFinished(() => store.close());
	expect(store.replica).toBeNull();
});

test.each(["999", "3600001", "x"])(
	"a bound of %s is refused",
	async (bound) => {
		const reason = await toReason(openStore(`${url}&read_max_lag_ms=${bound}`));
		expect(reason).toMatch(
			/whole number from 1000 to 3600000 as read_max_lag_ms/,
		);
	},
);

test.each(["system", "checkpoint", "recovery"])(
	"a user who may not call pg_control_%s() is told what to grant",
	async (name) => {
		await tamper(
			url,
			`revoke execute on function pg_control_${name}() from public;
			do $$ begin create role plain login password 'plain'; exception when duplicate_object then end $$;
			grant all on all tables in schema crm to plain; grant usage, create on schema crm to plain`,
		);
		onTestFinished(() =>
			tamper(
				url,
				`drop owned by plain; drop role plain; grant execute on function pg_control_${name}() to public`,
			),
		);
		const plain = edited(url, (one) => {
			one.username = "plain";
			one.password = "plain";
		});
		const reading = edited(plain, ({ searchParams }) =>
			searchParams.set("read_url", plain),
		);
		expect(await toReason(openReading(reading))).toMatch(
			/GRANT EXECUTE ON FUNCTION pg_control_system\(\), pg_control_checkpoint\(\), pg_control_recovery\(\) TO/,
		);
	},
);
