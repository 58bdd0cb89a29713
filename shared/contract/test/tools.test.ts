// The MCP tools: their documentation and their size.

import { readFileSync } from "node:fs";
import { createTools, operations, type Tool } from "@partnerwire/contract";
import { expect, test } from "vitest";

const tools = createTools();

test("stand in docs/mcp.md, as they are described to an assistant", () => {
	const page = readFileSync(new URL("../../../docs/mcp.md", import.meta.url), {
		encoding: "utf8",
	});
	const rows = tools.map(
		({ name, description }) => `| \`${name}\` | ${description} |`,
	);
	expect(page.match(/^\| `\w+` \|.*$/gm)).toEqual(rows);
});

test("are at most 40 and 30 KB", () => {
	expect(tools.length).toBeGreaterThanOrEqual(25);
	expect(tools.length).toBeLessThanOrEqual(40);
	expect(JSON.stringify({ tools }).length).toBeLessThan(30_000);
});

test.each(tools.map((tool) => [tool.name, tool] as const))(
	"%s has a schema that clients take",
	(name, { inputSchema, description, annotations }: Tool) => {
		expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
		expect(description.length).toBeGreaterThan(20);
		expect(inputSchema.type).toBe("object");
		const text = JSON.stringify(inputSchema);
		for (const word of ["anyOf", "oneOf", "allOf", "$ref", '"null"'])
			expect(text).not.toContain(word);
		const { params, query, body } = operations[name];
		const members = [params, query, body].flatMap((schema) =>
			Object.keys((schema as { shape?: object } | null)?.shape ?? {}),
		);
		expect(new Set(members).size, "a member of two parts").toBe(members.length);
		expect(members).not.toContain("clear");
		expect(annotations.readOnlyHint).toBe(operations[name].mode === "read");
		// A model reads the answer, so no secret may be in it.
		expect(operations[name].secret).toBe(false);
	},
);
