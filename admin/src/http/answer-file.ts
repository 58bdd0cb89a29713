import { type H3Event, serveStatic } from "h3";
import type { MemoryFile } from "./file-set.ts";

/** Answers a file from memory: compressed if the client accepts it, 304 if it has it. Browsers must ask each time. */
export function answerFile(
	event: H3Event,
	files: ReadonlyMap<string, MemoryFile>,
	name: string,
	type: string | undefined,
) {
	const find = (id: string) =>
		files.get(id.endsWith(".gz") ? `${name}.gz` : name);
	return serveStatic(event, {
		fallthrough: true,
		encodings: { gzip: ".gz" },
		getMeta(id) {
			const file = find(id);
			if (!file) return undefined;
			event.res.headers.set("cache-control", "no-cache");
			const { etag, encoding } = file;
			return { etag, ...(encoding && { encoding }), ...(type && { type }) };
		},
		getContents: (id) => find(id)?.body ?? null,
	});
}
