import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { type Block, blocksOf } from "../code-blocks.ts";
import { freePort } from "../free-port.ts";
import { ROOT } from "../sources.ts";
import { createTempFolder } from "../temp-folder.ts";

/** The ports in pages. Each run replaces them by its own. */
const PORTS = ["3000", "4400", "4401", "5432"];
const PATIENCE_MS = 180_000;

const mark = (index: number) => `--- block ${index} ---`;

/** The file that the last words before the block name, such as `receiver.mjs`. */
const toFileName = ({ before }: Block) => /`([\w.-]+)`:\s*$/.exec(before)?.[1];

function toScript(blocks: readonly Block[]): string {
	const parts = blocks.map((block, index) => {
		if (block.language === "sh") return `echo "${mark(index)}"\n${block.code}`;
		if (block.language === "text") return "";
		const file = toFileName(block);
		if (!file)
			throw new Error(
				`line ${block.line}: neither output nor a command, and no file is named before it`,
			);
		return `cat > ${file} <<'END OF FILE'\n${block.code}END OF FILE\n`;
	});
	return `set -e\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${parts.join("\n")}`;
}

/** Does the output contain the lines in this order? `…` matches anything. */
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

/** Replaces npx, which takes longer to start than the program that it starts. */
const NPX = `[ "$1" = partnerwire ] || { echo "npx $1: only partnerwire is known"; exit 1; }
shift
exec "${process.execPath}" "${ROOT}/admin/bin/partnerwire.js" "$@"`;

/** Replaces `npm install NAME…` by links to the clone's packages. A page fails if its files import more than it installs. */
const NPM = `[ "$1" = install ] && [ $# -gt 1 ] || { echo "npm $*: only install is known"; exit 1; }
shift
for name; do
	[ -e "${ROOT}/node_modules/$name" ] || { echo "npm install $name: the clone has none"; exit 1; }
	mkdir -p "$(dirname "node_modules/$name")"
	ln -sfn "${ROOT}/node_modules/$name" "node_modules/$name"
done`;

/** Programs that replace others in a page's PATH. */
function writePrograms(folder: string): string {
	const bin = join(folder, ".bin");
	mkdirSync(bin);
	for (const [name, code] of Object.entries({ npx: NPX, npm: NPM })) {
		writeFileSync(join(bin, name), `#!/bin/sh\n${code}\n`);
		chmodSync(join(bin, name), 0o755);
	}
	return bin;
}

/** The output of the `sh` block before a `text` block, up to the next `sh` block. */
function outputFor(
	blocks: readonly Block[],
	index: number,
	output: string,
): string {
	const isCommand = ({ language }: Block) => language === "sh";
	const from = blocks.slice(0, index).findLastIndex(isCommand);
	if (from === -1) throw new Error("output without a command before it");
	const next = blocks.findIndex((block, at) => at > from && isCommand(block));
	const start = output.indexOf(mark(from));
	return output.slice(
		start,
		next === -1 ? undefined : output.indexOf(mark(next)),
	);
}

/**
 * Follows a page as its reader would. `sh` blocks run in one shell in an empty folder. Other blocks are written to the file that is
 * named before them. The lines of a `text` block must be in the output of the `sh` block before it, before the next one begins.
 *
 * @param page its path in the repository
 */
export async function runPage(page: string): Promise<void> {
	const folder = createTempFolder();
	const bin = writePrograms(folder);
	const blocks = blocksOf(page);
	const ports = await Promise.all(PORTS.map(freePort));
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
			// All processes have ended by themselves.
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
			expectLines(
				outputFor(blocks, index, output),
				block.code.trim().split("\n"),
				`${page}, line ${block.line}`,
			);
		}
	} finally {
		clearTimeout(timer);
		end();
	}
}
