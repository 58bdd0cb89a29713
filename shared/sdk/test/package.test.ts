import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { toRoutesFile } from "../../../scripts/sdk-routes/to-routes-file.ts";

/** Issue 12: a client that uses three operations. */
const MAX_GZIP_BYTES = 15 * 1024;

test("the routes are those of the operation table (else: npm run sdk:routes)", () => {
	const path = new URL("../src/routes.generated.ts", import.meta.url);
	expect(readFileSync(path, "utf8")).toBe(toRoutesFile());
});

test("a client in a browser's bundle is small and brings no schemas", async () => {
	const { outputFiles, metafile } = await build({
		stdin: {
			contents: `import { createClient } from "@partnerwire/sdk";
				const client = createClient({ baseUrl: "", apiKey: "" });
				export const run = () => Promise.all([client.listLeads(), client.getLead({}), client.createLead({})]);`,
			resolveDir: import.meta.dirname,
		},
		bundle: true,
		minify: true,
		write: false,
		metafile: true,
		format: "esm",
		platform: "browser",
		conditions: ["partnerwire-source"],
	});
	const bytes = gzipSync(outputFiles[0]?.contents ?? "").length;
	expect(bytes).toBeGreaterThan(1_000);
	expect(bytes).toBeLessThanOrEqual(MAX_GZIP_BYTES);
	const inputs = Object.keys(metafile.inputs).join("\n");
	expect(inputs).not.toMatch(/node_modules\/(zod|jose)/);
});
