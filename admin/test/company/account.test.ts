import { expect, test } from "vitest";
import { openApi } from "#kit/program/api.ts";

test("the account says whose key it is, what it may do, and which modules are on", async () => {
	const api = await openApi();
	const { body: account } = await api.call("getAccount");
	expect(account).toEqual({
		uuid: api.seeded.company_uuid,
		name: "Fernhill Software",
		domain: "fernhill.example",
		default_currency: expect.objectContaining({ code: "EUR" }),
		default_country: "GB",
	});
	const key = api.seeded.keys.read;
	const permissions = await api.call("getAccountPermissions", { key });
	expect(permissions.body).toEqual({ read: true, write: false });

	const { body: before } = await api.call("listAccountModules");
	expect(before).toEqual([
		{ id: "api_mcp", label: "API & MCP", enabled: true },
		{ id: "co_selling", label: "Co-selling", enabled: true },
	]);
	const off = await api.call("updateAccountModule", {
		params: { module: "co_selling" },
		body: { enabled: false },
	});
	expect(off.body).toEqual({ ...before[1], enabled: false });
	const { body: after } = await api.call("listAccountModules");
	expect(after).toEqual([before[0], off.body]);

	const unknown = await api.call("updateAccountModule", {
		params: { module: "unknown" },
		body: { enabled: true },
	});
	expect(unknown.status).toBe(404);
	await api.close();
});
