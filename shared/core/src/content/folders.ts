import { folders as definition, invalidMembers } from "@partnerwire/contract";
import { and, eq } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { RowOf } from "../db/insert-row.ts";
import { createPlain } from "../resource/create-plain.ts";

/** The folders that a folder is in, from its parent outwards. */
async function* readAround(parentUuid: unknown, { db, caller }: Context) {
	const { folder } = db.tables;
	let uuid = parentUuid as string | null;
	while (uuid) {
		const [around]: RowOf<"folder">[] = await db.query
			.select()
			.from(folder)
			.where(
				and(eq(folder.uuid, uuid), eq(folder.companyUuid, caller.companyUuid)),
			);
		if (!around) return;
		yield around;
		uuid = around.parentUuid;
	}
}

const refuseParent = (message: string): never => {
	throw invalidMembers([{ field: "body/parent_uuid", message }]);
};

/** Folders of resources and of certifications. No folder is inside itself (docs/decisions.md#folders). */
export const folders = createPlain(definition, {
	references: { parent_uuid: "folder" },
	async refuse(columns, viewed, context) {
		const row = viewed?.row;
		const type = row?.type ?? columns.type;
		for await (const around of readAround(columns.parentUuid, context)) {
			if (around.type !== type)
				refuseParent("must be a folder of the same type");
			if (around.uuid === row?.uuid)
				refuseParent("must not be the folder itself, or one inside it");
			if (!row) return;
		}
	},
});
