import { expect, test } from "vitest";
import { printable } from "../../admin/src/cli/output.ts";

test("text of others neither forges a line nor speaks to the terminal", () => {
	expect(printable("C\u001b[2JRM\nx\u007f\u009b")).toBe(
		"C\\u001b[2JRM\\u000ax\\u007f\\u009b",
	);
	expect(printable("Zoë & Söhne ✓")).toBe("Zoë & Söhne ✓");
});
