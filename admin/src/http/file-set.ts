import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** A file of a folder, in memory. */
export interface MemoryFile {
	readonly body: Uint8Array<ArrayBuffer>;
	readonly etag: string;
	readonly encoding?: string;
}

/** A file, with a compressed copy if that saves enough. */
export async function toMemoryFiles(
	name: string,
	body: Uint8Array<ArrayBuffer>,
): Promise<[name: string, file: MemoryFile][]> {
	const hash = createHash("sha256").update(body).digest("base64url");
	const plain: MemoryFile = { body, etag: `"${hash}"` };
	const packed = await promisify(gzip)(body);
	if (packed.length >= body.length * 0.9) return [[name, plain]];
	const compressed: MemoryFile = {
		body: new Uint8Array(packed),
		etag: `"${hash}-gzip"`,
		encoding: "gzip",
	};
	return [
		[name, plain],
		[`${name}.gz`, compressed],
	];
}

/** The path of a folder's file in a URL. `paths` is the system's way to write paths. */
export const toUrlPath = (
	folder: string,
	file: string,
	paths: path.PlatformPath = path,
): string => `/${paths.relative(folder, file).split(paths.sep).join("/")}`;

/** The files by their path from `/`; a compressed copy has `.gz` behind it. Null when there is no such folder. */
async function readFiles(
	folder: string,
): Promise<Map<string, MemoryFile> | null> {
	const entries = await readdir(folder, {
		recursive: true,
		withFileTypes: true,
	}).catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return null;
		throw error;
	});
	if (!entries) return null;
	const files = new Map<string, MemoryFile>();
	for (const entry of entries.filter((found) => found.isFile())) {
		const file = path.join(entry.parentPath, entry.name);
		const body = new Uint8Array(await readFile(file));
		for (const [key, copy] of await toMemoryFiles(
			toUrlPath(folder, file),
			body,
		))
			files.set(key, copy);
	}
	return files.has("/index.html") ? files : null;
}

/** Reads at the first call and keeps the result. A failed read is tried again at the next call. */
export function readOnce<Read>(read: () => Promise<Read>): () => Promise<Read> {
	let reading: Promise<Read> | undefined;
	return () => {
		reading ??= read().catch((error) => {
			reading = undefined;
			throw error;
		});
		return reading;
	};
}

/** The files of a folder. The first request reads them, so that a service without browsers reads none. */
export const createFileSet = (folder: string) =>
	readOnce(() => readFiles(folder));
