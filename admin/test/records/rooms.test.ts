import { expect, test } from "vitest";
import { useApi } from "../support/api-world.ts";
import { createPartner, UNKNOWN_UUID } from "../support/records.ts";

const api = useApi();

const send = (method: string, path: string, body?: object) =>
	api().request(method, `/v1${path}`, body ? { body } : {});
const make = async (path: string, body: object) =>
	(await send("POST", path, body)).body;
const get = async (path: string) => (await send("GET", path)).body;

test("A070 adding a partnership answers 200 with uuid and name; the audit log names that one alone", async () => {
	const room = await make("/rooms", { label: "Gold partners" });
	const at = `/rooms/${room.uuid}/partnerships`;
	const [first, second] = [
		await createPartner(api()),
		await createPartner(api(), { name: "Hooli" }),
	];
	for (const { uuid, name } of [first, second, second]) {
		api().clock.advance(1000);
		const { status, body } = await send("POST", at, { partnership_uuid: uuid });
		expect([status, body]).toEqual([200, { uuid, name }]);
	}
	const named = ({ uuid, name }: { uuid: string; name: string }) => ({
		uuid,
		name,
	});
	expect(await get(at)).toEqual([named(first), named(second)]);
	const { data } = await get(`/audit-log?entity_uuid=${room.uuid}`);
	const [{ changes }] = data;
	expect([data.length, changes]).toEqual([
		3,
		[
			{
				entity: "room",
				field: "partnership",
				old: null,
				new: "Hooli",
				label: "partnership",
				ref_uuid: second.uuid,
			},
		],
	]);
	const unknown = await send("POST", at, { partnership_uuid: UNKNOWN_UUID });
	expect(unknown.body.error.details[0].field).toBe("body/partnership_uuid");
	expect((await send("DELETE", `${at}/${first.uuid}`)).status).toBe(200);
	expect((await send("DELETE", `${at}/${first.uuid}`)).status).toBe(404);
	expect(await get(at)).toEqual([named(second)]);
});

test("a room: defaults, filters, archive and restore", async () => {
	const label = "Launch pad";
	const room = await make("/rooms", { label });
	expect(room).toMatchObject({
		live: false,
		visibility: "all",
		partner_type: null,
		room_type: null,
		categories: [],
		stages: [],
		tags: [],
		tiers: [],
	});
	const next = await make("/rooms", {
		label,
		visibility: "external_only",
		partner_type: "reseller",
		room_type: "onboarding",
		live: true,
	});
	expect(next.series).toBe(room.series + 1);
	const found = async (query: string) =>
		(await get(`/rooms?search=${encodeURIComponent(label)}${query}`)).data.map(
			({ uuid }: { uuid: string }) => uuid,
		);
	for (const query of ["visibility=external_only", "partner_type=reseller"])
		expect(await found(`&${query}`)).toEqual([next.uuid]);
	expect(await found("&live=false")).toEqual([room.uuid]);
	expect(await found("&sort=-series")).toEqual([next.uuid, room.uuid]);
	expect((await send("GET", "/rooms?visibility=none")).status).toBe(400);
	await send("DELETE", `/rooms/${room.uuid}`);
	expect(await found("")).toEqual([next.uuid]);
	const nested = await send("POST", `/rooms/${room.uuid}/blocks`, {
		type: "text",
	});
	expect(nested.status).toBe(404);
	await send("POST", `/rooms/${room.uuid}/restore`);
	expect(await found("&sort=series")).toEqual([room.uuid, next.uuid]);
});

test("categories, stages, tags and tiers say who a room is for, and are in use", async () => {
	const room = await make("/rooms", { label: "Board" });
	const linked = [
		["categories", "category", await make("/categories", { label: "Legal" })],
		[
			"stages",
			"stage",
			await make("/partner-stages", {
				label: "Live",
				partner_type: "reseller",
			}),
		],
		["tags", "tag", await make("/tags", { label: "Secret", type: "resource" })],
		["tiers", "tier", await make("/tiers", { label: "Diamond" })],
	];
	for (const [list, noun, { uuid, label }] of linked) {
		const body = { [`${noun}_uuid`]: uuid };
		const answer = await send("POST", `/rooms/${room.uuid}/${list}`, body);
		expect([answer.status, answer.body]).toEqual([200, { uuid, label }]);
		expect((await get(`/rooms/${room.uuid}`))[list]).toEqual([{ uuid, label }]);
		const setting = noun === "stage" ? "partner-stages" : list;
		const refused = await send("DELETE", `/${setting}/${uuid}`);
		expect(refused.body.error.message).toContain(`"${label}" is used by 1`);
	}
	const dealStage = await make("/deal-stages", {
		label: "Won",
		partner_type: "reseller",
	});
	const body = { stage_uuid: dealStage.uuid };
	const refused = await send("POST", `/rooms/${room.uuid}/stages`, body);
	expect(refused.status).toBe(400);
});

test("secure files are assets of the company, and keep them in use", async () => {
	const room = await make("/rooms", { label: "Vault" });
	const at = `/rooms/${room.uuid}/secure-files`;
	const asset = await make("/assets", {
		url: "https://x.example/contract.pdf",
		category: "legal",
	});
	const file = await make(at, { asset_uuid: asset.uuid, label: "Contract" });
	expect(file).toMatchObject({ label: "Contract", asset_uuid: asset.uuid });
	expect(await get(at)).toEqual([file]);
	expect((await send("DELETE", `/assets/${asset.uuid}`)).status).toBe(409);
	expect((await send("DELETE", `${at}/${file.uuid}`)).status).toBe(200);
	expect((await send("DELETE", `/assets/${asset.uuid}`)).status).toBe(200);
	const { body } = await send("POST", at, {});
	expect(body.error.details[0]).toMatchObject({
		field: "body/asset_uuid",
		reason: "missing_required",
	});
});

test("another company's asset is a 400 with the words of an unknown one; its own is in use until it is not", async () => {
	const one = await make("/resources", { label: "Guide", type: "public" });
	const course = await make("/certifications", { label: "Expert" });
	const room = await make("/rooms", { label: "Lounge" });
	const block = { type: "image" };
	const asset = { url: "https://x.example/a.pdf", category: "learning" };
	const { keys } = await api().addCompany();
	const foreign = await api().request("POST", "/v1/assets", {
		body: asset,
		key: keys.full,
	});
	const writes = [
		["POST", "/resources", { label: "x", type: "public" }],
		["PATCH", `/resources/${one.uuid}`, {}],
		["POST", `/resources/${one.uuid}/blocks`, block],
		["POST", "/certifications", { label: "x" }],
		["PATCH", `/certifications/${course.uuid}`, {}],
		["POST", `/rooms/${room.uuid}/blocks`, block],
		["POST", `/rooms/${room.uuid}/secure-files`, {}],
	] as const;
	for (const [method, path, body] of writes) {
		const refusedFor = async (asset_uuid: string) =>
			(await send(method, path, { ...body, asset_uuid })).body.error;
		const refused = await refusedFor(foreign.body.uuid);
		expect(refused).toEqual(await refusedFor(UNKNOWN_UUID));
		expect(refused.details[0].field).toBe("body/asset_uuid");
	}
	const own = await make("/assets", asset);
	await send("PATCH", `/resources/${one.uuid}`, { asset_uuid: own.uuid });
	expect((await send("DELETE", `/assets/${own.uuid}`)).status).toBe(409);
	const { data } = await get(
		`/audit-log?action=updated&entity_uuid=${one.uuid}`,
	);
	expect(data[0].changes).toMatchObject([
		{ field: "asset_uuid", old: null, new: own.url, ref_uuid: own.uuid },
	]);
	await send("PATCH", `/resources/${one.uuid}`, { asset_uuid: null });
	expect((await send("DELETE", `/assets/${own.uuid}`)).status).toBe(200);
});
