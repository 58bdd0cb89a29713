import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createOpenApi } from "@partnerwire/contract";
import type { H3, H3Event } from "h3";
import { readFixture } from "../assets/fixtures.ts";
import { answerFile } from "./answer-file.ts";
import type { Answering } from "./answering.ts";
import { DOCS_DIST } from "./docs.ts";
import { type MemoryFile, readOnce, toMemoryFiles } from "./file-set.ts";
import { setSecurityHeaders } from "./security-headers.ts";

const NAME = "/openapi.json";

/** The document that `npm run build` wrote: making it blocks the process for a second. Without a build it is made here. */
async function read(folder: string): Promise<Map<string, MemoryFile>> {
	const body = await readFile(join(folder, NAME)).catch(
		(error: NodeJS.ErrnoException) => {
			if (error.code !== "ENOENT") throw error;
			return Buffer.from(JSON.stringify(createOpenApi(readFixture)));
		},
	);
	return new Map(await toMemoryFiles(NAME, new Uint8Array(body)));
}

/** Serves the OpenAPI document, without a key (docs/decisions.md#mounts). The first request loads it. */
export function serveOpenApi(
	app: H3,
	{ guarded }: Answering,
	folder = DOCS_DIST,
): void {
	const readDocument = readOnce(() => read(folder));
	const answer = guarded(async (event: H3Event) => {
		setSecurityHeaders(event);
		return answerFile(event, await readDocument(), NAME, "application/json");
	});
	app.get(NAME, answer).head(NAME, answer);
}
