import { join } from "node:path";
import { notFound } from "@partnerwire/contract";
import { type H3, type H3Event, serveStatic } from "h3";
import { setSecurityHeaders } from "../dashboard/security-headers.ts";
import type { Answering } from "./answering.ts";
import { createFileSet } from "./file-set.ts";

/** The built documentation, beside the sources as well as beside what they are compiled to. */
export const DOCS_DIST = join(import.meta.dirname, "../../docs-dist");

/** `/docs` and `/docs/` → the first page, `/docs/api/` → its index, `/docs/receiver` → `receiver.html`; what has an ending is a file. */
function toName(id: string): string {
	const path = id.replace(/^\/docs/, "").replace(/\/$/, "");
	if (path === "" || path === "/api") return `${path}/index.html`;
	return /\.\w+$/.test(path) ? path : `${path}.html`;
}

const TYPES: Readonly<Record<string, string>> = {
	html: "text/html; charset=utf-8",
	md: "text/markdown; charset=utf-8",
	yml: "text/yaml; charset=utf-8",
};

/** Serves the documentation, without a key (design §3: exposed surfaces), from memory: no request reaches the file system. */
export function serveDocs(
	app: H3,
	{ guarded }: Answering,
	folder = DOCS_DIST,
): void {
	const read = createFileSet(folder);
	const answer = guarded(async (event: H3Event) => {
		setSecurityHeaders(event);
		const files = await read();
		const name = toName(event.url.pathname);
		const served =
			files &&
			(await serveStatic(event, {
				fallthrough: true,
				encodings: { gzip: ".gz" },
				getMeta(id) {
					const file = files.get(id.endsWith(".gz") ? `${name}.gz` : name);
					if (!file) return undefined;
					event.res.headers.set("cache-control", "no-cache");
					const { etag, encoding } = file;
					const type = TYPES[name.slice(name.lastIndexOf(".") + 1)];
					return { etag, ...(encoding && { encoding }), ...(type && { type }) };
				},
				getContents: (id) =>
					files.get(id.endsWith(".gz") ? `${name}.gz` : name)?.body ?? null,
			}));
		if (served) return served;
		throw notFound("page of the documentation");
	});
	for (const path of ["/docs", "/docs/**"])
		app.get(path, answer).head(path, answer);
}
