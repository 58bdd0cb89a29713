import { querySet } from "../table/list-query.ts";
import { Uuid } from "../table/uuid.ts";

/** The filters of a list of records that have tags and assigned users (docs/decisions.md#filters). */
export const linkFilters = {
	tag_uuids: querySet(Uuid).optional(),
	assigned_user_uuid: Uuid.optional(),
};
