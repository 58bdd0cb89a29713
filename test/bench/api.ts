import { join } from "node:path";
import Database from "better-sqlite3";
import type { Calls as BaselineCalls } from "./children/api-baseline.ts";
import type { Calls as OurCalls } from "./children/api-ours.ts";
import { openChild } from "./kit/child.ts";
import { expect } from "./kit/expect.ts";
import { loading } from "./kit/loading.ts";
import type { Part, Row } from "./kit/report.ts";
import {
	type Contender,
	medianRatio,
	runRounds,
	showRates,
} from "./kit/rounds.ts";
import { inTempFolder } from "./kit/temp-folder.ts";

/** The tables that get one row for each created lead, in both databases. */
export const TABLES = [
	"lead",
	"audit where entity = 'lead'",
	"event",
	"delivery",
];

/** A server under load: its URL, key and database, and its number of requests. */
export interface Target {
	readonly leads: string;
	readonly headers: Record<string, string>;
	readonly body: string;
	readonly database: string;
	created: number;
}

/** Compares creates and reads per second of our service with those of a hand-written h3 + better-sqlite3 server. */
export const benchApi: Part = (options) =>
	inTempFolder(async (folder) => {
		const ourProcess = openChild<OurCalls>("./children/api-ours.ts");
		const baselineProcess = openChild<BaselineCalls>(
			"./children/api-baseline.ts",
		);
		try {
			const started = await ourProcess.call("open", { folder });
			const ours = toTarget(started, join(folder, "ours.db"));
			const { partnership } = await create(ours);
			const baseline = toTarget(
				await baselineProcess.call("open", { folder, partnership }),
				join(folder, "baseline.db"),
			);
			const [ourLead, baselineLead] = await expectSameAnswers(ours, baseline);
			const creates = await runRounds(
				{ ours: creating(ours), baseline: creating(baseline) },
				options,
			);
			expectRows(ours);
			expectRows(baseline);
			expectSameBytes(ours, baseline);
			const reads = await runRounds(
				{
					ours: reading(ours, ourLead),
					baseline: reading(baseline, baselineLead),
				},
				options,
			);
			return {
				api_create_ratio: medianRatio(creates.ours, creates.baseline),
				api_get_ratio: medianRatio(reads.ours, reads.baseline),
				rows: [
					...toRows("create a lead", creates),
					...toRows("get a lead by uuid", reads),
				],
			};
		} finally {
			await Promise.all([ourProcess.close(), baselineProcess.close()]);
		}
	});

const toRows = (
	what: string,
	{ ours, baseline }: Record<"ours" | "baseline", number[]>,
): Row[] => [
	{ name: `${what}, hand-written server`, value: showRates(baseline) },
	{ name: `${what}, ours`, value: showRates(ours) },
];

export function toTarget(
	{ url, key, partnershipUuid }: Awaited<ReturnType<OurCalls["open"]>>,
	database: string,
): Target {
	return {
		leads: `${url}/v1/leads`,
		headers: {
			authorization: `Bearer ${key}`,
			"content-type": "application/json",
		},
		body: JSON.stringify({
			partnership_uuid: partnershipUuid,
			company_name: "Globex",
			email: "a@globex.example",
			first_name: "A",
			last_name: "B",
		}),
		database,
		created: 0,
	};
}

export async function create(target: Target) {
	const { leads, headers, body } = target;
	const response = await fetch(leads, { method: "POST", headers, body });
	expect(response.status === 201, `${leads} answered ${response.status}`);
	target.created++;
	return (await response.json()) as {
		uuid: string;
		partnership: { uuid: string; name: string; partner_type: string };
	};
}

/** Creates and reads one lead on each side. Apart from ids and times, the answers must be equal to the byte. */
async function expectSameAnswers(
	ours: Target,
	baseline: Target,
): Promise<[string, string]> {
	const read = async (target: Target) => {
		const { uuid } = await create(target);
		const url = `${target.leads}/${uuid}`;
		const text = await (await fetch(url, { headers: target.headers })).text();
		return { url, text: text.replace(uuid, "").replace(/\d{4}-[^"]+Z/g, "") };
	};
	const [our, other] = [await read(ours), await read(baseline)];
	expect(
		our.text === other.text,
		`the answers differ:\n${our.text}\n${other.text}`,
	);
	return [our.url, other.url];
}

export const creating = (target: Target): Contender => {
	const { leads: url, headers, body } = target;
	return loading({ url, method: "POST", headers, body }, (amount) => {
		target.created += amount;
	});
};

/** Creates for several companies of one service in turn. */
export const creatingFor = (
	targets: readonly [Target, ...Target[]],
): Contender => {
	const [{ leads: url }] = targets;
	const requests = targets.map(({ headers, body }) => ({
		method: "POST" as const,
		headers,
		body,
	}));
	return loading({ url, requests }, (amount) => {
		targets[0].created += amount;
	});
};

export const reading = ({ headers }: Target, url: string): Contender =>
	loading({ url, headers }, () => {});

const inDatabase = <Value>({ database }: Target, sql: string): Value => {
	const db = new Database(database, { readonly: true });
	try {
		return db.prepare(sql).raw().get() as Value;
	} finally {
		db.close();
	}
};

/** Checks that each created lead is stored with all its rows. */
export function expectRows(target: Target): void {
	for (const table of TABLES) {
		const [rows] = inDatabase<[number]>(
			target,
			`select count(*) from ${table}`,
		);
		expect(
			rows === target.created,
			`${target.created} creates left ${rows} rows in ${table}`,
		);
	}
}

/** Checks that both sides store equally long JSON for a lead. */
function expectSameBytes(ours: Target, baseline: Target): void {
	const sql =
		"select (select length(entity) from event order by id desc limit 1), (select length(changes) from audit where entity = 'lead' order by created_at desc limit 1)";
	const [our, other] = [ours, baseline].map((target) =>
		String(inDatabase<number[]>(target, sql)),
	);
	expect(our === other, `the rows hold ${our} and ${other} characters`);
}
