import { eq } from "drizzle-orm";
import type { Context } from "../context/context.ts";

/** Runs after every change of a custom field, an option or a rule, so that no process uses a set loaded before it. */
export async function renewVersion({
	db,
	caller,
	newUuid,
}: Context): Promise<undefined> {
	const { company } = db.tables;
	await db.query
		.update(company)
		.set({ fieldsVersion: newUuid() })
		.where(eq(company.uuid, caller.companyUuid));
}
