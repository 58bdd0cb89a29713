import { join } from "node:path";
import { notFound } from "@partnerwire/contract";
import { type H3Event, serveStatic } from "h3";
import { createFileSet, type MemoryFile } from "../http/file-set.ts";

/** The built dashboard. The path is right from `src` and from `dist`. */
export const WEB_DIST = join(import.meta.dirname, "../../web-dist");

/** Paths that never belong to the dashboard. Unknown paths below them get the API's 404. */
const RESERVED =
	/^\/(v1|api|mcp|_admin|docs|openapi\.json|healthz|readyz|metrics)(\/|$)/;

/** A browser that opens an address of the dashboard gets the page. Programs get a 404 for an unknown path. */
const isNavigation = ({ req, url: { pathname } }: H3Event) =>
	!RESERVED.test(pathname) &&
	!/\.[^/]*$/.test(pathname) &&
	!req.headers.has("authorization") &&
	/\btext\/html\b/.test(req.headers.get("accept") ?? "");

/** Serves the built dashboard from memory, by exact path: no request reaches the file system, so none leaves the folder. */
export function createStaticFiles(folder: string) {
	const read = createFileSet(folder);

	const answer = (
		event: H3Event,
		files: Map<string, MemoryFile>,
		toName: (id: string) => string,
	) =>
		serveStatic(event, {
			fallthrough: true,
			encodings: { gzip: ".gz" },
			getMeta(id) {
				const name = toName(id);
				const file = files.get(name);
				if (!file) return undefined;
				const isHashed = name.startsWith("/assets/");
				event.res.headers.set(
					"cache-control",
					isHashed ? "public, max-age=31536000, immutable" : "no-cache",
				);
				const { etag, encoding } = file;
				return {
					etag,
					...(encoding && { encoding }),
					...(name.startsWith("/index.html") && {
						type: "text/html; charset=utf-8",
					}),
				};
			},
			getContents: (id) => files.get(toName(id))?.body ?? null,
		});

	return async (event: H3Event): Promise<unknown> => {
		const files = await read();
		const { pathname } = event.url;
		if (!files) {
			if (pathname !== "/") throw notFound("route");
			event.res.status = 404;
			event.res.headers.set("content-type", "text/plain; charset=utf-8");
			return "The dashboard is not built: run `npm run build`, then start the service again.\n";
		}
		const found = RESERVED.test(pathname)
			? undefined
			: await answer(event, files, (id) => id);
		if (found) return found;
		const page =
			isNavigation(event) &&
			(await answer(event, files, (id) =>
				id.endsWith(".gz") ? "/index.html.gz" : "/index.html",
			));
		if (page) return page;
		throw notFound("route");
	};
}
