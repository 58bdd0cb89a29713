import { definePlain } from "../table/plain.ts";
import { requiredLine, text, webUrl } from "../table/text.ts";

const category = requiredLine(64);

/** Files by their URL: what is kept is what is said of them, the URL is never fetched (decisions §4). */
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
