import { randomBytes } from "node:crypto";
import { type Core, createCipher } from "@partnerwire/core";
import { onTestFinished } from "vitest";
import {
	addIntegration,
	addPartner,
	openTestCore,
	rowsOf,
} from "#kit/database/open-core.ts";

/** A core with one integration that receives new leads. */
export async function openWorld() {
	const key = randomBytes(32);
	const core = await openTestCore({ key });
	onTestFinished(() => core.close());
	const partnership_uuid = await addPartner(core, core.caller);
	await addIntegration(core, core.caller, { event_ids: ["lead_created"] });
	return {
		...core,
		cipher: createCipher(key),
		addLead: async () =>
			(
				await core.execute(
					"createLead",
					{ body: { partnership_uuid } },
					core.caller,
				)
			).uuid,
	};
}

export const statesOf = async (core: Pick<Core, "store">) =>
	(await rowsOf(core, "delivery")).map(({ state }) => state);
