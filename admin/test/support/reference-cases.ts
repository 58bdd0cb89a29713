import type { OperationId } from "@partnerwire/contract";
import { findIds, type IdMember } from "./id-members.ts";
import { type Row, rows } from "./table-world.ts";

/** Members that are called like references, by where they are in a body, each with the reason why they are none. */
export const NO_REFERENCES: Readonly<Record<string, string>> = {
	"/formula_config/presentation/group_id":
		"the client makes it up: formulas with the same one are one group",
	"/trigger_event_id": "names a kind of event",
	"/event_id": "names a kind of event",
	"/event_ids/*": "names a kind of event",
	"/actions/*/settings/*/id":
		"names a setting; settings are an open set that nothing reads",
	"/configuration/*/id": "names a setting, in the client's words",
	"/configuration/*/selected/*/id": "names a setting, in the client's words",
	"/external_settings/authorisation/*/id": "names a header for the receiver",
	"/payload/*": "what a test sends, as it is",
};

/** Members with values of custom fields: of a select field they are ids of its options. */
export const OF_FIELDS = ["value", "trigger_value", "map"];

export interface ReferenceCase extends IdMember {
	readonly id: OperationId;
	readonly row: Row;
}

/** Every member of every operation's body that may hold an id. */
export const idMembers: readonly ReferenceCase[] = rows.flatMap((row) =>
	findIds(row).map((member) => ({ ...member, id: row.id, row })),
);

/** Those that refer to records. */
export const references = idMembers.filter(
	({ at, name }) =>
		!Object.hasOwn(NO_REFERENCES, at) && !OF_FIELDS.includes(name),
);
