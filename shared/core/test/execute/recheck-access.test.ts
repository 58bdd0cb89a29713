import type { OperationId } from "@partnerwire/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	addPartner,
	openTestCore,
	rowsOf,
	type TestCore,
} from "#kit/database/open-core.ts";

let core: TestCore;
beforeAll(async () => {
	core = await openTestCore();
});
afterAll(() => core.close());

/** Executes an operation, and calls `happen` while its body is being read. */
const executeWhile = (
	id: OperationId,
	input: object,
	caller: TestCore["caller"],
	happen: () => Promise<unknown>,
) =>
	core.execute(
		id,
		(async () => {
			await happen();
			return input;
		}) as never,
		caller,
	);

test("a key that is revoked while the body comes writes nothing", async () => {
	const caller = await core.addCaller();
	const body = { name: "Late", partner_type: "referral" };
	const revoke = () =>
		core.execute(
			"revokeApiKey",
			{ params: { uuid: caller.apiKeyUuid as string } },
			caller,
		);
	await expect(
		executeWhile("createPartner", { body }, caller, revoke),
	).rejects.toMatchObject({ code: "unauthorized" });
	const partners = await rowsOf(core, "partner");
	expect(partners.map(({ name }) => name)).not.toContain("Late");
});

test("a module that is switched off while the body comes is closed", async () => {
	const caller = await core.addCaller();
	const switchTo = (enabled: boolean) =>
		core.execute(
			"updateAccountModule",
			{ params: { module: "co_selling" }, body: { enabled } } as never,
			caller,
		);
	await switchTo(true);
	const partnership_uuid = await addPartner(core, caller);
	const uuid = partnership_uuid;
	await expect(
		executeWhile(
			"addDealPartner",
			{ params: { uuid }, body: { partnership_uuid } },
			caller,
			() => switchTo(false),
		),
	).rejects.toMatchObject({ code: "module_disabled" });
});
