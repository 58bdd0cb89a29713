import { describe, expect, test } from "vitest";
import { useApi } from "../support/api-world.ts";
import { createPartner } from "../support/records.ts";

const api = useApi();

const send = (method: string, path: string, body?: object) =>
	api().request(method, `/v1${path}`, body ? { body } : {});
const make = async (path: string, body: object) => {
	const answer = await send("POST", path, body);
	expect([path, answer.body.error, answer.status]).toEqual([
		path,
		undefined,
		201,
	]);
	return answer.body;
};
const get = async (path: string) => (await send("GET", path)).body;
const totalOf = async (path: string) => (await get(path)).pagination.total;

const resource = (members: object = {}) =>
	make("/resources", { label: "Guide", type: "partner", ...members });
const certification = (members: object = {}) =>
	make("/certifications", { label: "Expert", ...members });

describe("resources", () => {
	test("A074 type takes internal, partner, campaigns and public; other values are 400", async () => {
		for (const type of ["internal", "partner", "campaigns", "public"]) {
			const { uuid } = await resource({ type });
			const { data } = await get(`/resources?type=${type}&per_page=100`);
			for (const one of data) expect(one.type).toBe(type);
			expect(data.map((one: { uuid: string }) => one.uuid)).toContain(uuid);
		}
		for (const type of ["private", "", "Partner", "internal,public"]) {
			const { status, body } = await send("GET", `/resources?type=${type}`);
			expect([status, body.error.details[0].field]).toEqual([
				400,
				"query/type",
			]);
			expect(
				(await send("POST", "/resources", { label: "x", type })).status,
			).toBe(400);
		}
	});

	test("A074 the list answers with and without its slash", async () => {
		for (const path of ["/resources", "/resources/", "/resources/?page=1"])
			expect((await get(path)).pagination.page).toBe(1);
	});

	test("A075 live is a boolean; tags, categories and folders are arrays of uuid and label", async () => {
		const made = await resource({ summary: "How to sell" });
		expect(made).toMatchObject({
			live: false,
			asset_uuid: null,
			tags: [],
			categories: [],
			folders: [],
		});
		const linked = {
			tags: await make("/tags", { label: "Read first", type: "resource" }),
			categories: await make("/categories", { label: "Selling" }),
			folders: await make("/folders", { label: "Guides", type: "resource" }),
		};
		const members = { tags: "tag", categories: "category", folders: "folder" };
		for (const [list, { uuid, label }] of Object.entries(linked)) {
			const member = `${members[list as keyof typeof members]}_uuid`;
			const at = `/resources/${made.uuid}/${list}`;
			for (let time = 1; time <= 2; time++) {
				const { status, body } = await send("POST", at, { [member]: uuid });
				expect([status, body]).toEqual([200, { uuid, label }]);
			}
			expect(await get(at)).toEqual([{ uuid, label }]);
			const query = `?${member}s=${uuid}`;
			expect(await totalOf(`/resources${query}`)).toBe(1);
		}
		const shown = await get(`/resources/${made.uuid}`);
		for (const [list, { uuid, label }] of Object.entries(linked))
			expect(shown[list]).toEqual([{ uuid, label }]);

		// A linked record is in use until the link is removed (A130, A131).
		for (const [list, { uuid, label }] of Object.entries(linked)) {
			const refused = await send("DELETE", `/${list}/${uuid}`);
			expect(refused.status).toBe(409);
			expect(refused.body.error.message).toContain(`"${label}" is used by 1`);
			const at = `/resources/${made.uuid}/${list}/${uuid}`;
			expect((await send("DELETE", at)).status).toBe(200);
			expect((await send("DELETE", at)).status).toBe(404);
			expect((await send("DELETE", `/${list}/${uuid}`)).status).toBe(200);
		}
	});

	test("only tags of resources and folders of resources go on one", async () => {
		const { uuid } = await resource();
		const tag = await make("/tags", { label: "Of leads", type: "lead" });
		const folder = await make("/folders", {
			label: "Courses",
			type: "certification",
		});
		for (const [list, body] of [
			["tags", { tag_uuid: tag.uuid }],
			["folders", { folder_uuid: folder.uuid }],
		] as const) {
			const answer = await send("POST", `/resources/${uuid}/${list}`, body);
			expect(answer.status).toBe(400);
		}
	});

	test("search finds labels, of at most 200 characters; live and archived filter", async () => {
		const mark = "Zqx";
		const made = await resource({ label: `${mark} ÉTÉ`, live: true });
		const found = (query: string) =>
			totalOf(`/resources?search=${encodeURIComponent(mark)}${query}`);
		expect(await totalOf(`/resources?search=${mark}%20%C3%A9t%C3%A9`)).toBe(1);
		expect([await found("&live=true"), await found("&live=false")]).toEqual([
			1, 0,
		]);
		const long = await send("GET", `/resources?search=${"x".repeat(201)}`);
		expect(long.status).toBe(400);
		await send("DELETE", `/resources/${made.uuid}`);
		expect([await found(""), await found("&archived=true")]).toEqual([0, 1]);
		const archived = await get(`/resources/${made.uuid}`);
		expect(archived.archived_at).not.toBe(null);
		const at = `/resources/${made.uuid}`;
		for (const [method, path, body] of [
			["PATCH", at, { label: "x" }],
			["POST", `${at}/blocks`, { type: "text" }],
			["DELETE", at, undefined],
		] as const)
			expect((await send(method, path, body)).status).toBe(404);
		const restored = await send("POST", `${at}/restore`);
		expect(restored.body).toMatchObject({ uuid: made.uuid, archived_at: null });
		expect(await found("")).toBe(1);
	});

	test("blocks are listed by series; a new one comes last", async () => {
		const { uuid } = await resource();
		const at = `/resources/${uuid}/blocks`;
		const first = await make(at, { type: "text", content: "Hello" });
		const second = await make(at, { type: "quiz", title: "Know it?" });
		expect([first.series, second.series]).toEqual([0, 1]);
		await send("PATCH", `${at}/${first.uuid}`, { series: 7 });
		const third = await make(at, { type: "files" });
		expect((await get(at)).map((one: { uuid: string }) => one.uuid)).toEqual([
			second.uuid,
			first.uuid,
			third.uuid,
		]);
		const { body } = await send("POST", at, { type: "poem" });
		expect(body.error.details[0].field).toBe("body/type");
	});
});

describe("certifications", () => {
	test("A069 adding a category answers 200 with uuid and label", async () => {
		const { uuid } = await certification();
		const category = await make("/categories", { label: "Technical" });
		const body = { category_uuid: category.uuid };
		const answer = await send(
			"POST",
			`/certifications/${uuid}/categories`,
			body,
		);
		expect([answer.status, answer.body]).toEqual([
			200,
			{ uuid: category.uuid, label: "Technical" },
		]);
		const listed = `/certifications?category_uuids=${category.uuid}`;
		expect(await totalOf(listed)).toBe(1);
	});

	test("folders and resources are linked; an archived resource is not", async () => {
		const { uuid } = await certification();
		const at = `/certifications/${uuid}`;
		const folder = await make("/folders", {
			label: "Levels",
			type: "certification",
		});
		const one = await resource({ label: "Manual" });
		await send("POST", `${at}/folders`, { folder_uuid: folder.uuid });
		await send("POST", `${at}/resources`, { resource_uuid: one.uuid });
		expect(await get(at)).toMatchObject({
			folders: [{ uuid: folder.uuid, label: "Levels" }],
			resources: [{ uuid: one.uuid, label: "Manual" }],
		});
		const gone = await resource();
		await send("DELETE", `/resources/${gone.uuid}`);
		const body = { resource_uuid: gone.uuid };
		expect((await send("POST", `${at}/resources`, body)).status).toBe(400);
	});

	test("a pass score that was lowered counts with the next request, also one that says the same", async () => {
		const { uuid } = await certification({ assessment_pass_score: 80 });
		const at = `/certifications/${uuid}/enrollments`;
		const [user] = (await get("/users")).data;
		const enrolled = await make(at, { user_uuid: user.uuid });
		const say = async () =>
			(await send("PATCH", `${at}/${enrolled.uuid}`, { assessment_score: 70 }))
				.body.status;
		expect([await say(), await say()]).toEqual(["failed", "failed"]);
		const lowered = { assessment_pass_score: 60 };
		await send("PATCH", `/certifications/${uuid}`, lowered);
		expect([await say(), await say()]).toEqual(["completed", "completed"]);
	});

	test("an enrolment goes from enrolled to completed, and shows the 17 members and what it is now", async () => {
		const { uuid, label } = await certification({ assessment_pass_score: 70 });
		const at = `/certifications/${uuid}/enrollments`;
		const partner = await createPartner(api());
		const [user] = (await get("/users")).data;
		const body = { user_uuid: user.uuid, partnership_uuid: partner.uuid };
		const enrolled = await make(at, body);
		expect(enrolled).toMatchObject({
			user_uuid: user.uuid,
			email: user.email,
			profile_image_uuid: null,
			partner_uuid: partner.uuid,
			partner_company_name: partner.name,
			certification_uuid: uuid,
			certification_name: label,
			status: "enrolled",
			progress_percentage: 0,
			assessment_best_score: null,
			assessment_passed: null,
			started_at: null,
			completed_at: null,
		});
		const again = await send("POST", at, { user_uuid: user.uuid });
		expect([again.status, again.body.error.code]).toEqual([409, "conflict"]);
		expect(again.body.error.message).toContain(user.email);

		const say = (said: object) => send("PATCH", `${at}/${enrolled.uuid}`, said);
		const statusAfter = async (said: object) => (await say(said)).body.status;
		expect(await statusAfter({ progress_percentage: 50 })).toBe("in_progress");
		expect(await statusAfter({ assessment_score: 60 })).toBe("failed");
		expect(await statusAfter({ progress_percentage: 80 })).toBe("in_progress");
		const { body: done } = await say({ assessment_score: 70 });
		expect(done).toMatchObject({
			status: "completed",
			progress_percentage: 100,
			assessment_score: 70,
			assessment_best_score: 70,
			assessment_passed: true,
		});
		expect(done.started_at).not.toBe(null);
		expect(done.completed_at).not.toBe(null);
		expect((await say({ progress_percentage: 10 })).status).toBe(409);
		expect(await get(at)).toEqual([done]);
		expect((await send("DELETE", `${at}/${enrolled.uuid}`)).status).toBe(200);
		expect(await get(at)).toEqual([]);
	});

	test("A091 a body cannot set the status, and progress is a percentage", async () => {
		const { uuid } = await certification();
		const at = `/certifications/${uuid}/enrollments`;
		const [user] = (await get("/users")).data;
		const enrolled = await make(at, {
			user_uuid: user.uuid,
			status: "completed",
		});
		expect(enrolled.status).toBe("enrolled");
		const one = `${at}/${enrolled.uuid}`;
		const { body } = await send("PATCH", one, { status: "failed" });
		expect(body.status).toBe("enrolled");
		for (const said of [
			{ progress_percentage: 101 },
			{ progress_percentage: -1 },
			{ assessment_score: 100.5 },
			{ assessment_score: "70" },
		])
			expect((await send("PATCH", one, said)).status).toBe(400);
	});
});
