// What the service ignores of a call, the client tells.
import { createClient, type Ignored } from "@partnerwire/sdk";
import { expect, onTestFinished, test, vi } from "vitest";

const toFetch = (ignored?: string) => async () =>
	Response.json(
		{ uuid: "0190" },
		{
			headers: ignored === undefined ? {} : { "partnerwire-ignored": ignored },
		},
	);
const OPTIONS = { baseUrl: "http://service.example", apiKey: "pwk_secret" };
const CALL = { body: { partnership_uuid: "p" } };

test.each([
	["body/name", ["body/name"]],
	[
		"body/name, body/value; query/limit",
		["body/name", "body/value", "query/limit"],
	],
	[
		"body/a%2C, more; query/caf%C3%A9",
		["body/a%2C", "more", "query/caf%C3%A9"],
	],
])("onIgnored gets the header %j as names", async (header, members) => {
	const told: Ignored[] = [];
	const client = createClient({
		...OPTIONS,
		fetch: toFetch(header),
		onIgnored: (ignored) => told.push(ignored),
	});
	expect(await client.createLead(CALL)).toEqual({ uuid: "0190" });
	expect(told).toEqual([{ route: "POST /v1/leads", members }]);
});

test("without a function of its own, a client warns on the console, and only when something was ignored", async () => {
	const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
	onTestFinished(() => warn.mockRestore());
	await createClient({ ...OPTIONS, fetch: toFetch() }).createLead(CALL);
	expect(warn).not.toHaveBeenCalled();
	const fetch = toFetch("body/value; query/limit");
	await createClient({ ...OPTIONS, fetch }).createLead(CALL);
	expect(warn.mock.calls).toEqual([
		[
			"Partnerwire does not know body/value, query/limit of POST /v1/leads, and ignored it",
		],
	]);
});
