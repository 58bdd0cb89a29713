import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { type Block, blocksOf } from "./code-blocks.ts";
import { ROOT } from "./sources.ts";
import { openTempFolder } from "./temp-folder.ts";

/** The ports that pages name; each run has its own in their place. */
const PORTS = ["3000", "4400", "4401", "5432"];
const PATIENCE_MS = 180_000;

const mark = (index: number) => `--- block ${index} ---`;

async function findFreePorts(count: number): Promise<number[]> {
	const servers = await Promise.all(
		Array.from({ length: count }, async () => {
			const server = createServer().listen(0, "127.0.0.1");
			await once(server, "listening");
			return server;
		}),
	);
	return servers.map((server) => {
		const { port } = server.address() as { port: number };
		server.close();
		return port;
	});
}

/** `receiver.mjs` when the last words before the block name a file. */
const toFileName = ({ before }: Block) => /`([\w.-]+)`:\s*$/.exec(before)?.[1];

function toScript(blocks: readonly Block[]): string {
	const parts = blocks.map((block, index) => {
		if (block.language === "sh") return `echo "${mark(index)}"\n${block.code}`;
		const file = toFileName(block);
		return file
			? `cat > ${file} <<'END OF FILE'\n${block.code}END OF FILE\n`
			: "";
	});
	return `set -e\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${parts.join("\n")}`;
}

/** Whether the lines stand in the output, in this order; `…` stands for anything. */
function expectLines(output: string, lines: string[], where: string): void {
	let rest = output;
	for (const line of lines) {
		const pattern = new RegExp(
			line
				.split("…")
				.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
				.join(".*"),
		);
		const found = pattern.exec(rest);
		expect(found, `${where}: no "${line}" in\n${rest}`).not.toBeNull();
		rest = rest.slice((found?.index ?? 0) + (found?.[0].length ?? 0));
	}
}

/**
 * Does what a page says, as its reader would: `sh` blocks in one shell in an empty folder, other blocks written to the file that is named
 * before them, and what a `text` block shows must come out of the `sh` block before it.
 *
 * @param page its path in the repository
 */
export async function runPage(page: string): Promise<void> {
	const folder = openTempFolder();
	const bin = join(folder, ".bin");
	mkdirSync(bin);
	symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
	// npx itself takes longer to start than what it starts.
	const npx = `#!/bin/sh\nshift\nexec "${process.execPath}" "${ROOT}/admin/bin/partnerwire.js" "$@"\n`;
	writeFileSync(join(bin, "npx"), npx);
	chmodSync(join(bin, "npx"), 0o755);

	const blocks = blocksOf(page);
	const ports = await findFreePorts(PORTS.length);
	const script = PORTS.reduce(
		(code, port, index) =>
			code.replaceAll(new RegExp(`\\b${port}\\b`, "g"), String(ports[index])),
		toScript(blocks),
	);
	const { PATH, HOME } = process.env;
	const shell = spawn("bash", ["-c", `exec 2>&1\n${script}`], {
		cwd: folder,
		detached: true,
		stdio: ["ignore", "pipe", "inherit"],
		env: {
			PATH: `${bin}:${PATH}`,
			...(HOME && { HOME }),
			NO_COLOR: "1",
			PARTNERWIRE_URL: `http://127.0.0.1:${ports[0]}`,
			PARTNERWIRE_PORT: String(ports[0]),
		},
	});
	const end = () => {
		try {
			process.kill(-(shell.pid as number), "SIGKILL");
		} catch {
			// Everything has ended by itself.
		}
	};
	const timer = setTimeout(end, PATIENCE_MS);
	try {
		const exited = once(shell, "exit").then(([code]) => {
			end();
			return code as number | null;
		});
		const [output, code] = await Promise.all([text(shell.stdout), exited]);
		expect(code, output).toBe(0);
		for (const [index, block] of blocks.entries()) {
			if (block.language !== "text") continue;
			const from = blocks
				.slice(0, index)
				.findLastIndex(({ language }) => language === "sh");
			expectLines(
				output.slice(output.indexOf(mark(from))),
				block.code.trim().split("\n"),
				`${page}, line ${block.line}`,
			);
		}
	} finally {
		clearTimeout(timer);
		end();
	}
}
