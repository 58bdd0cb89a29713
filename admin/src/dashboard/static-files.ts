import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { notFound } from "@partnerwire/contract";
import { type H3Event, serveStatic } from "h3";

/** The built dashboard, beside the sources as well as beside what they are compiled to. */
export const WEB_DIST = join(import.meta.dirname, "../../web-dist");

interface File {
	readonly body: Uint8Array<ArrayBuffer>;
	readonly etag: string;
	readonly encoding?: string;
}

/** The files by their path from `/`; a compressed copy has `.gz` behind it. Null when there is no such folder. */
async function readFiles(folder: string): Promise<Map<string, File> | null> {
	const entries = await readdir(folder, {
		recursive: true,
		withFileTypes: true,
	}).catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return null;
		throw error;
	});
	if (!entries) return null;
	const files = new Map<string, File>();
	for (const entry of entries.filter((one) => one.isFile())) {
		const path = join(entry.parentPath, entry.name);
		const body = new Uint8Array(await readFile(path));
		const hash = createHash("sha256").update(body).digest("base64url");
		const name = path.slice(folder.length).replaceAll("\\", "/");
		files.set(name, { body, etag: `"${hash}"` });
		const packed = await promisify(gzip)(body);
		if (packed.length < body.length * 0.9)
			files.set(`${name}.gz`, {
				body: new Uint8Array(packed),
				etag: `"${hash}-gzip"`,
				encoding: "gzip",
			});
	}
	return files.has("/index.html") ? files : null;
}

/** Paths that are not the dashboard's, now or later: an unknown one below them is told as the API tells it. */
const RESERVED =
	/^\/(v1|api|mcp|_admin|docs|openapi\.json|healthz|readyz|metrics)(\/|$)/;

/** A person who opens an address of the dashboard; programs that ask for a path that is not there are to know it. */
const isNavigation = ({ req, url: { pathname } }: H3Event) =>
	!RESERVED.test(pathname) &&
	!/\.[^/]*$/.test(pathname) &&
	!req.headers.has("authorization") &&
	/\btext\/html\b/.test(req.headers.get("accept") ?? "");

/**
 * Serves the built dashboard. All of it is held in memory and found by its exact path: no request reaches the file system, so
 * none leaves the folder.
 */
export function createStaticFiles(folder: string) {
	let reading: Promise<Map<string, File> | null> | undefined;

	const answer = (
		event: H3Event,
		files: Map<string, File>,
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
		reading ??= readFiles(folder).catch((error) => {
			reading = undefined;
			throw error;
		});
		const files = await reading;
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
