import { join } from "node:path";
import { notFound } from "@partnerwire/contract";
import type { H3, H3Event } from "h3";
import { answerFile } from "./answer-file.ts";
import type { Answering } from "./answering.ts";
import { createFileSet, type MemoryFile } from "./file-set.ts";
import { setSecurityHeaders } from "./security-headers.ts";

/** The built documentation. The path is right from `src` and from `dist`. */
export const DOCS_DIST = join(import.meta.dirname, "../../docs-dist");

/** `/docs/` → the first page, `/docs/api/` → its index, `/docs/receiver` → `receiver.html`; other paths are file names. */
function toName(id: string, files: ReadonlyMap<string, MemoryFile>): string {
	const path = id.replace(/^\/docs/, "").replace(/\/$/, "");
	if (files.has(path)) return path;
	if (path === "" || path === "/api") return `${path}/index.html`;
	return /\.\w+$/.test(path) ? path : `${path}.html`;
}

const TYPES: Readonly<Record<string, string>> = {
	html: "text/html; charset=utf-8",
	md: "text/markdown; charset=utf-8",
	yml: "text/yaml; charset=utf-8",
};

/** Serves the documentation, without a key (docs/decisions.md#mounts), from memory: no request reaches the file system. */
export function serveDocs(
	app: H3,
	{ guarded }: Answering,
	folder = DOCS_DIST,
): void {
	const read = createFileSet(folder);
	const answer = guarded(async (event: H3Event) => {
		setSecurityHeaders(event);
		const files = (await read()) ?? new Map<string, MemoryFile>();
		const name = toName(event.url.pathname, files);
		const type = TYPES[name.slice(name.lastIndexOf(".") + 1)];
		const served = await answerFile(event, files, name, type);
		if (served) return served;
		throw notFound("page of the documentation");
	});
	for (const path of ["/docs", "/docs/**"])
		app.get(path, answer).head(path, answer);
}
