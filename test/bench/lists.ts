import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Company, openCompany } from "./kit/company.ts";
import { expect } from "./kit/expect.ts";
import { addLeads, MATCHES, type Marks, WORD } from "./kit/many-leads.ts";
import type { Part, Row } from "./kit/report.ts";
import { median } from "./kit/rounds.ts";
import { inTempFolder } from "./kit/temp-folder.ts";

/** The number of readers at the same time, with and without writers. */
const READERS = 8;
const WRITERS = 8;

/**
 * Compares page 1 of the list of leads through the core with many leads and with few. Each filter finds the same number in both. Also
 * measures how long single reads take while others write.
 */
export const benchLists: Part = ({ quick }) =>
	inTempFolder(async (folder) => {
		const sizes = quick
			? { few: 2 * MATCHES, many: 20 * MATCHES }
			: { few: 10_000, many: 1_000_000 };
		const few = await openLeads(join(folder, "few"), sizes.few);
		const many = await openLeads(join(folder, "many"), sizes.many);
		try {
			const rows: Row[] = [];
			const growth: number[] = [];
			for (const [name, query] of Object.entries(queriesOf(few.marks))) {
				const times = { few: [] as number[], many: [] as number[] };
				const found = { few: 0, many: 0 };
				for (let round = 0; round < (quick ? 15 : 60); round++) {
					for (const side of ["few", "many"] as const) {
						const { company, marks } = side === "few" ? few : many;
						const own = queriesOf(marks)[name] ?? query;
						const startedAt = performance.now();
						const page = await listLeads(company, own);
						times[side].push(performance.now() - startedAt);
						found[side] = page.pagination.total;
						expect(page.data.length === 25, `${name} showed fewer than a page`);
					}
				}
				if (name in FILTERED)
					expect(
						found.few === MATCHES && found.many === MATCHES,
						`${name} found ${found.few} and ${found.many}`,
					);
				const [small, large] = [median(times.few), median(times.many)];
				growth.push(large / small);
				rows.push({
					name: `leads by ${name}, of ${sizes.few} and of ${sizes.many}`,
					value: `${small.toFixed(2)} ms, ${large.toFixed(2)} ms`,
				});
			}
			const alone = await timeReads(many, quick, 0);
			const beside = await timeReads(many, quick, WRITERS);
			rows.push({
				name: "get a lead, p99, alone and beside writers",
				value: `${alone.toFixed(2)} ms, ${beside.toFixed(2)} ms`,
			});
			return {
				list_growth_ratio: Math.max(...growth),
				read_p99_ratio: beside / alone,
				rows,
			};
		} finally {
			await few.company.service.close();
			await many.company.service.close();
		}
	});

/** The filters that find the marked leads. */
const FILTERED: Record<string, (marks: Marks) => Record<string, unknown>> = {
	search: () => ({ search: WORD }),
	"search by two letters": () => ({ search: WORD.slice(0, 2) }),
	partnership: ({ partnership_uuid }) => ({ partnership_uuid }),
	status: () => ({ status: "qualified" }),
	direction: () => ({ direction: "received" }),
	stage: ({ stage_uuid }) => ({ stage_uuids: [stage_uuid] }),
	tag: ({ tag_uuid }) => ({ tag_uuids: [tag_uuid] }),
	"assigned user": ({ user_uuid }) => ({ assigned_user_uuid: user_uuid }),
	archived: () => ({ archived: true }),
	"two filters": ({ tag_uuid }) => ({
		tag_uuids: [tag_uuid],
		status: "qualified",
	}),
};

const queriesOf = (marks: Marks): Record<string, Record<string, unknown>> => ({
	"no filter": {},
	"the oldest first": { sort: "created_at" },
	"the last change": { sort: "-updated_at" },
	...Object.fromEntries(
		Object.entries(FILTERED).map(([name, toQuery]) => [name, toQuery(marks)]),
	),
});

interface Leads {
	readonly company: Company;
	readonly marks: Marks;
}

/** A company on a SQLite file of its own, with this many leads. */
export async function openLeads(folder: string, leads: number): Promise<Leads> {
	mkdirSync(folder);
	const company = await openCompany(folder, "http://127.0.0.1:9/hook");
	const { service, caller, partnershipUuid } = company;
	const execute = (id: string, body: Record<string, unknown>) =>
		service.core.execute(id as never, { body } as never, caller) as Promise<{
			uuid: string;
		}>;
	const partner = { name: "Marked", partner_type: "referral" };
	const stage = { label: "Marked", partner_type: "referral" };
	const tag = { label: "Marked", type: "lead" };
	const marks = {
		partnership_uuid: (await execute("createPartner", partner)).uuid,
		stage_uuid: (await execute("createLeadStage", stage)).uuid,
		tag_uuid: (await execute("createTag", tag)).uuid,
		user_uuid: caller.userUuid,
	};
	addLeads(join(folder, "ours.db"), leads, partnershipUuid, marks);
	return { company, marks };
}

interface LeadPage {
	readonly data: readonly { uuid: string }[];
	readonly pagination: { readonly total: number };
}

const listLeads = (
	{ service, caller }: Company,
	query: Record<string, unknown>,
) =>
	service.core.execute(
		"listLeads",
		{ query: { page: 1, per_page: 25, ...query } } as never,
		caller,
	) as Promise<LeadPage>;

/** The 99th percentile of reads of single leads, in milliseconds, while this number of writers changes others. */
async function timeReads(
	{ company }: Leads,
	quick: boolean,
	writers: number,
): Promise<number> {
	const { service, caller } = company;
	const { data } = await listLeads(company, { per_page: 100 });
	const [first, ...others] = data.map(({ uuid }) => ({ params: { uuid } }));
	const times: number[] = [];
	let isOver = false;
	const read = async () => {
		while (times.length < (quick ? 2_000 : 20_000)) {
			const lead = others[times.length % others.length];
			const startedAt = performance.now();
			await service.core.execute("getLead", lead as never, caller);
			times.push(performance.now() - startedAt);
			// Each read in a turn of its own, as with requests from a socket.
			await new Promise(setImmediate);
		}
		isOver = true;
	};
	const write = async (writer: number) => {
		for (let change = 0; !isOver; change++) {
			const body = { first_name: `Ada ${writer} ${change}` };
			const input = { ...first, body };
			await service.core.execute("updateLead", input as never, caller);
		}
	};
	await Promise.all([
		...Array.from({ length: READERS }, read),
		...Array.from({ length: writers }, (_, writer) => write(writer)),
	]);
	return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] as number;
}
