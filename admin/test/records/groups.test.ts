import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { OperationId } from "@partnerwire/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import { type Api, openApi } from "#kit/program/api.ts";
import { UNKNOWN_UUID } from "../support/records.ts";
import {
	callIn,
	createTableWorld,
	paramsIn,
	type Row,
	rows,
	type TableWorld,
} from "../support/table-world.ts";
import { validBodyOf } from "../support/valid-body.ts";

let api: Api;
let world: TableWorld;
let foreign: TableWorld;
beforeAll(async () => {
	api = await openApi();
	foreign = await createTableWorld(api, (await api.addCompany()).keys.full);
	world = await createTableWorld(api, api.seeded.keys.full);
});
afterAll(() => api.close());

const bodyShapeOf = ({ body }: Row): Record<string, z.ZodType> =>
	(body as z.ZodObject | null)?.shape ?? {};
const withMember = (pattern: RegExp) =>
	rows.flatMap((row) =>
		Object.keys(bodyShapeOf(row))
			.filter((member) => pattern.test(member))
			.map((member) => ({ ...row, member })),
	);
/** Calls an operation on the world's own records with one member set. */
const callWith = (row: Row, members: object) =>
	api.call(row.id, {
		params: paramsIn(world, row),
		body: { ...(row.method === "POST" && validBodyOf(row)), ...members },
	});
const expectInvalid = (
	{ status, body }: Awaited<ReturnType<typeof callWith>>,
	member: string,
) => {
	expect([status, body.error?.code]).toEqual([400, "validation_error"]);
	expect(body.error.details).toContainEqual(
		expect.objectContaining({ field: `body/${member}` }),
	);
};
const create = async (id: OperationId, body: object) => {
	const answer = await api.call(id, { body });
	expect(answer.status).toBe(201);
	return answer.body;
};
const call = (id: OperationId, uuid: string, body?: object) =>
	api.call(id, { params: { uuid }, ...(body && { body }) });

describe("URLs of records are absolute, and http or https", () => {
	const members = withMember(/(^|_)url$|^website$|^link$/).filter(
		// Those of integrations have a stricter rule of their own.
		({ member }) => member !== "webhook_url",
	);
	const WRONG = [
		"javascript:alert(1)",
		"JavaScript://x.example/%0aalert(1)",
		"data:text/html,x",
		"vbscript:x",
		"file:///etc/passwd",
		"ftp://x.example/",
		"mailto:a@x.example",
		"//x.example/",
		"/files/x",
		"x.example",
		"",
		"https://",
		"https:x.example",
		"https:///x.example",
		"https://a b.example/",
		" https://x.example/",
		"https://x.example/\u0001",
		"java\nscript:alert(1)",
		"https://user:word@x.example/",
		"https://x.example\\@y.example/",
		"https://[::1/",
	];

	test.each(members)("$id refuses any other $member", async (row) => {
		for (const url of WRONG)
			expectInvalid(await callWith(row, { [row.member]: url }), row.member);
	});

	test("what is meant to be followed is stored as it was given", async () => {
		for (const url of [
			"https://x.example",
			"HTTP://X.example:8080/a?b=c#d",
			"https://bücher.example/ü",
		]) {
			const asset = await create("createAsset", { url, category: "logo" });
			expect(asset.url).toBe(url);
		}
	});
});

describe("assets", () => {
	const referring = withMember(/^asset_uuid$/);

	test("there are operations that refer to one", () => {
		expect(referring.length).toBeGreaterThan(5);
	});

	test.each(referring)(
		"$id takes no asset of another company, and says what it says of an unknown one",
		async (row) => {
			const theirs = foreign.uuids.get("/v1/assets") as string;
			const answers = [];
			for (const asset_uuid of [theirs, UNKNOWN_UUID]) {
				const answer = await callIn(world, row, { asset_uuid }).catch(
					(error) => error,
				);
				answers.push(String(answer).replace(asset_uuid, ""));
			}
			expect(answers[0]).toContain("body/asset_uuid: does not refer to");
			expect(answers[1]).toBe(answers[0]);
		},
	);

	test.each(referring.filter(({ method }) => method === "PATCH"))(
		"one that $id refers to is not deleted until nothing does any more",
		async (row) => {
			const url = "https://files.example/x.pdf";
			const { uuid } = await create("createAsset", { url, category: "x" });
			const set = await callWith(row, { asset_uuid: uuid });
			expect(set.body.asset_uuid).toBe(uuid);
			const refused = await call("deleteAsset", uuid);
			expect([refused.status, refused.body.error.message]).toEqual([
				409,
				`the asset "${url}" is used by 1 record; reassign them before deleting it`,
			]);
			const other = await create("createAsset", { url, category: "y" });
			const moved = await callWith(row, { asset_uuid: other.uuid });
			expect(moved.status).toBe(200);
			expect((await call("deleteAsset", uuid)).status).toBe(200);
			expect((await call("getAsset", uuid)).status).toBe(404);
		},
	);

	test("the URL is never fetched", async () => {
		const asked: (string | undefined)[] = [];
		const server = createServer((request, response) => {
			asked.push(request.url);
			response.end();
		});
		await once(server.listen(0, "127.0.0.1"), "listening");
		const { port } = server.address() as AddressInfo;
		const url = `http://127.0.0.1:${port}/logo.svg`;
		const { uuid } = await create("createAsset", { url, category: "logo" });
		await call("getAsset", uuid);
		await call("updateAsset", uuid, { url: `${url}?2`, file_name: "logo.svg" });
		await api.call("listAssets", { query: "?category=logo&search=LOGO" });
		await call("deleteAsset", uuid);
		expect(asked).toEqual([]);
		await once(server.close(), "close");
	});

	test("a reference is reported in the audit log by the asset's URL", async () => {
		const url = "https://files.example/audited.pdf";
		const asset = await create("createAsset", { url, category: "x" });
		const card = await create("createCard", { title: "Read it" });
		await call("updateCard", card.uuid, { asset_uuid: asset.uuid });
		const query = `?entity_uuid=${card.uuid}&action=updated`;
		const { body } = await api.call("listAuditLog", { query });
		expect(body.data[0].changes).toEqual([
			expect.objectContaining({
				field: "asset_uuid",
				old: null,
				new: url,
				ref_uuid: asset.uuid,
			}),
		]);
	});
});

describe("folders", () => {
	const folder = (label: string, more: object = {}) =>
		create("createFolder", { label, type: "resource", ...more });

	test("a folder is never inside itself", async () => {
		const top = await folder("Top");
		const middle = await folder("Middle", { parent_uuid: top.uuid });
		const low = await folder("Low", { parent_uuid: middle.uuid });
		for (const parent_uuid of [top.uuid, middle.uuid, low.uuid])
			expectInvalid(
				await call("updateFolder", top.uuid, { parent_uuid }),
				"parent_uuid",
			);
		const moved = await call("updateFolder", low.uuid, {
			parent_uuid: top.uuid,
		});
		expect(moved.body.parent_uuid).toBe(top.uuid);
		// Now it is no longer inside the middle one.
		const { status } = await call("updateFolder", middle.uuid, {
			parent_uuid: low.uuid,
		});
		expect(status).toBe(200);
	});

	test("a folder is of the type of the one that it is in, and keeps its type", async () => {
		const top = await folder("Top");
		const body = { label: "X", type: "certification", parent_uuid: top.uuid };
		expectInvalid(await api.call("createFolder", { body }), "parent_uuid");
		const other = await folder("Other", { type: "certification" });
		expectInvalid(
			await call("updateFolder", other.uuid, { parent_uuid: top.uuid }),
			"parent_uuid",
		);
		const kept = await call("updateFolder", other.uuid, { type: "resource" });
		expect(kept.body.type).toBe("certification");
		expectInvalid(
			await api.call("createFolder", { body: { label: "X", type: "cellar" } }),
			"type",
		);
	});

	test("one with a folder in it is not deleted", async () => {
		const top = await folder("Full");
		const inner = await folder("Inner", { parent_uuid: top.uuid });
		const refused = await call("deleteFolder", top.uuid);
		expect([refused.status, refused.body.error.message]).toEqual([
			409,
			'the folder "Full" is used by 1 record; reassign them before deleting it',
		]);
		expect((await call("deleteFolder", inner.uuid)).status).toBe(200);
		expect((await call("deleteFolder", top.uuid)).status).toBe(200);
	});

	test("another company's folder is as unknown as none", async () => {
		const theirs = foreign.uuids.get("/v1/folders") as string;
		for (const parent_uuid of [theirs, UNKNOWN_UUID])
			expectInvalid(
				await api.call("createFolder", {
					body: { label: "X", type: "resource", parent_uuid },
				}),
				"parent_uuid",
			);
	});
});

describe("what is archived comes back", () => {
	// A pricing calculator, which DELETE archives too, comes back by being published.
	const archived = rows.filter(
		({ id, method }) => method === "DELETE" && id.startsWith("archive"),
	);
	test("of every kind", () => {
		const kinds = rows.filter(({ id }) => id.startsWith("restore"));
		expect(kinds.map(({ id }) => id.replace("restore", "archive"))).toEqual(
			archived.map(({ id }) => id),
		);
	});

	test.each(archived)("$id", async (row) => {
		const id = (verb: string) => row.id.replace("archive", verb) as OperationId;
		const params = paramsIn(world, row);
		const before = await api.call(id("get"), { params });
		expect((await api.call(row.id, { params })).status).toBe(200);
		const hidden = await api.call(id("get"), { params });
		expect(hidden.body.archived_at).not.toBeNull();
		const restored = await api.call(id("restore"), { params });
		expect([restored.status, restored.body]).toEqual([
			200,
			{ ...before.body, updated_at: restored.body.updated_at },
		]);
		expect((await api.call(id("get"), { params })).body).toEqual(restored.body);
	});
});
