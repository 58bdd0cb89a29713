import { AnalyticsPeriod, MAX_UUID } from "@partnerwire/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { useApi } from "../support/api-world.ts";
import { createLead, createPartner } from "../support/records.ts";

const api = useApi();
const TYPES = ["referral", "reseller", "distributor"] as const;
type Type = (typeof TYPES)[number];
type Made = { uuid: string; name: string };

const send = (method: string, path: string, body?: object) =>
	api().request(method, `/v1${path}`, body ? { body } : {});
const make = async (path: string, body: object) =>
	(await send("POST", path, body)).body;
const report = async (path: string, query = "") =>
	(await send("GET", `/analytics/${path}${query}`)).body;
const ENROLLMENTS = "lms/enrollments";
const uuidsOf = async (query: string): Promise<string[]> =>
	(await report(ENROLLMENTS, query)).data.map(({ uuid }: Made) => uuid);

/** One learner in progress for each type of partner, and one without a partner. */
const partners = {} as Record<Type, Made>;
const learning = {} as Record<Type | "none", string>;
let stage: Made;
let tier: Made;
let category: Made;

beforeAll(async () => {
	const { data: users } = (await send("GET", "/users")).body;
	stage = await make("/partner-stages", {
		label: "S",
		partner_type: "referral",
	});
	tier = await make("/tiers", { label: "T" });
	category = await make("/categories", { label: "C" });
	for (const partner_type of TYPES)
		partners[partner_type] = await createPartner(api(), {
			name: `The ${partner_type}`,
			partner_type,
			...(partner_type === "referral" && {
				stage_uuid: stage.uuid,
				tier_uuid: tier.uuid,
				category_uuid: category.uuid,
			}),
		});
	for (const who of [...TYPES, "none"] as const) {
		const course = await make("/certifications", { label: `For ${who}` });
		const at = `/certifications/${course.uuid}/enrollments`;
		const { uuid } = await make(at, {
			user_uuid: users[0].uuid,
			partnership_uuid: who === "none" ? null : partners[who].uuid,
		});
		await send("PATCH", `${at}/${uuid}`, { progress_percentage: 40 });
		learning[who] = uuid;
		api().clock.advance(1000);
	}
	// Enrolled only: never listed.
	const more = await make("/certifications", { label: "More" });
	await make(`/certifications/${more.uuid}/enrollments`, {
		user_uuid: users[1].uuid,
	});
});

describe("GET /analytics/lms/enrollments", () => {
	test("A082 it is the envelope, and rows have the 17 members", async () => {
		const body = await report(ENROLLMENTS);
		expect(Object.keys(body).sort()).toEqual(["data", "pagination"]);
		expect(body.pagination).toEqual({
			page: 1,
			per_page: 25,
			total: 4,
			total_pages: 1,
		});
		expect(Object.keys(body.data[0]).sort()).toEqual(
			[
				"uuid",
				"user_uuid",
				"first_name",
				"last_name",
				"email",
				"profile_image_uuid",
				"partner_uuid",
				"partner_company_name",
				"certification_uuid",
				"certification_name",
				"status",
				"progress_percentage",
				"assessment_best_score",
				"assessment_passed",
				"enrolled_at",
				"started_at",
				"completed_at",
			].sort(),
		);
	});

	test("A083 status takes in_progress, completed and failed; enrolled is 400", async () => {
		expect(await uuidsOf("?status=in_progress")).toHaveLength(4);
		for (const status of ["completed", "failed"])
			expect(await uuidsOf(`?status=${status}`)).toEqual([]);
		for (const status of ["enrolled", "all", ""]) {
			const body = await report(ENROLLMENTS, `?status=${status}`);
			expect(body.error.details[0].field).toBe("query/status");
		}
	});

	test("A084 A085 the ten periods are taken, current_year when left out; another is 400", async () => {
		expect(AnalyticsPeriod.options).toHaveLength(10);
		for (const period of AnalyticsPeriod.options) {
			const listed = await uuidsOf(`?period=${period}`);
			expect(listed).toHaveLength(
				period.startsWith("last_") && !/\d/.test(period) ? 0 : 4,
			);
		}
		const whole = await report(ENROLLMENTS, "?period=current_year");
		expect(await report(ENROLLMENTS)).toEqual(whole);
		for (const period of ["last_7_days", "CURRENT_YEAR", ""]) {
			const body = await report(ENROLLMENTS, `?period=${period}`);
			expect(body.error.details[0].field).toBe("query/period");
		}
	});

	test("A086 with both dates the period is ignored; a lone date leaves it in force", async () => {
		const today = "start_date=2026-11-27&end_date=2026-11-27";
		for (const period of ["last_year", "current_month"])
			expect(await uuidsOf(`?${today}&period=${period}`)).toHaveLength(4);
		expect(await uuidsOf("?start_date=2026-11-26&end_date=2026-11-26")).toEqual(
			[],
		);
		for (const lone of ["start_date=2030-01-01", "end_date=2020-01-01"])
			expect(await uuidsOf(`?${lone}`)).toHaveLength(4);
	});

	test.each([
		["start_date=2026-11-28&end_date=2026-11-27", "start_date"],
		["start_date=2026-02-30&end_date=2026-11-27", "start_date"],
		["end_date=27.11.2026", "end_date"],
		["start_date=2026-11-27T00:00:00Z&end_date=2026-11-28", "start_date"],
		["partner_uuids=nonsense", "partner_uuids"],
		["limit=0", "limit"],
		["limit=101", "limit"],
		["limit=1.5", "limit"],
		["per_page=101", "per_page"],
		["page=0", "page"],
		["partner_type=partner", "partner_type"],
		["lead_direction=both", "lead_direction"],
	])("A089 A092 %s is 400 and names %s", async (query, name) => {
		const { error } = await report(ENROLLMENTS, `?${query}`);
		expect(error.code).toBe("validation_error");
		expect(error.details[0].field).toMatch(new RegExp(`^query/${name}`));
	});

	test("A088 one partner restricts to it, several to the union, an unknown one to nothing", async () => {
		const { referral, reseller } = partners;
		expect(await uuidsOf(`?partner_uuids=${referral.uuid}`)).toEqual([
			learning.referral,
		]);
		const both = await uuidsOf(
			`?partner_uuids=${referral.uuid},${reseller.uuid}`,
		);
		expect(both).toEqual([learning.reseller, learning.referral]);
		expect(await uuidsOf(`?partner_uuids=${MAX_UUID}`)).toEqual([]);
	});

	test("A089 limit bounds all pages together, and is the size of one", async () => {
		const { data, pagination } = await report(ENROLLMENTS, "?limit=3");
		expect([data.length, pagination]).toEqual([
			3,
			{ page: 1, per_page: 3, total: 3, total_pages: 1 },
		]);
		const second = await report(ENROLLMENTS, "?limit=3&per_page=2&page=2");
		expect(second.data).toEqual(data.slice(2));
		expect(second.pagination.total_pages).toBe(2);
		const past = await report(ENROLLMENTS, "?limit=3&per_page=2&page=3");
		expect([past.data, past.pagination.total]).toEqual([[], 3]);
		expect((await report(ENROLLMENTS, "?limit=100")).data).toHaveLength(4);
	});

	test("A090 without a partner type all three are listed; with one, that one", async () => {
		expect(await uuidsOf("")).toEqual([
			learning.none,
			learning.distributor,
			learning.reseller,
			learning.referral,
		]);
		for (const type of TYPES)
			expect(await uuidsOf(`?partner_type=${type}`)).toEqual([learning[type]]);
	});

	test("stages, tiers and categories of partners filter", async () => {
		for (const query of [
			`stage_uuids=${stage.uuid}`,
			`tier_uuids=${tier.uuid}`,
			`category_uuids=${category.uuid}`,
		])
			expect(await uuidsOf(`?${query}`)).toEqual([learning.referral]);
		expect(await uuidsOf(`?tier_uuids=${MAX_UUID}`)).toEqual([]);
	});

	test("A092 lead_direction takes received, sent and all, and is about referral partners", async () => {
		const { uuid } = partners.referral;
		const lead = await createLead(api(), uuid, { direction: "sent" });
		expect(await uuidsOf("?lead_direction=all")).toHaveLength(4);
		const others = [learning.distributor, learning.reseller];
		expect(await uuidsOf("?lead_direction=sent")).toEqual([
			...others,
			learning.referral,
		]);
		expect(await uuidsOf("?lead_direction=received")).toEqual(others);
		await send("DELETE", `/leads/${lead.uuid}`);
		expect(await uuidsOf("?lead_direction=sent")).toEqual(others);
	});
});

test("the summary counts by the status that enrolments have", async () => {
	expect(await report("lms/summary")).toMatchObject({
		start_date: "2026-01-01",
		end_date: "2026-11-27",
		enrollments_count: 5,
		enrolled_count: 1,
		in_progress_count: 4,
		completed_count: 0,
		failed_count: 0,
		completion_percentage: 0,
		average_progress_percentage: 32,
		average_assessment_best_score: null,
	});
	const query = `?partner_uuids=${partners.reseller.uuid}`;
	const { certifications } = await report("lms/summary", query);
	expect(certifications).toMatchObject([
		{ certification_name: "For reseller", in_progress_count: 1 },
	]);
	const nothing = await report("lms/summary", "?period=last_year");
	expect(nothing).toMatchObject({
		enrollments_count: 0,
		completion_percentage: null,
		certifications: [],
	});
});
