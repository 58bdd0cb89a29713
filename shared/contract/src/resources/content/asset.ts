import { definePlain } from "../../table/plain.ts";
import { requiredLine, text, webUrl } from "../../table/text.ts";

const category = requiredLine(64);

/** Files by their URL (docs/decisions.md#assets). Only the description is stored: the URL is never fetched. */
export const assets = definePlain({
	noun: "Asset",
	plural: "Assets",
	path: "/v1/assets",
	name: "url",
	removal: "delete",
	mandatory: { url: webUrl(), category },
	optional: {
		file_name: text().nullable(),
		mime_type: text(127).nullable(),
	},
	filters: { category: category.optional() },
});
