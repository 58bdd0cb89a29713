/* The signing secret has one name as a variable. Its former name is known in one place alone, and in what tests and tells that. */
import { expect, test } from "vitest";
import { readSettings } from "../../admin/src/cli/settings/read-flags.ts";
import { listFiles, readSource } from "../kit/sources.ts";

const FORMER =
	/\b(?:INTEGRATION_UUID|WEBHOOK_SECRET|PARTNERWIRE_SECRET|PARTNERWIRE_INTEGRATION_UUID)\b/;
const KNOWING = [
	"CHANGELOG.md",
	"admin/src/cli/settings/settings.ts",
	"docs/decisions.md",
	"docs/settings.md",
	"test/cli/json-errors.full.test.ts",
	"test/docs/secret-name.test.ts",
];

test("code, pages, examples and tests call the variable PARTNERWIRE_WEBHOOK_SECRET", () => {
	const files = [
		"README.md",
		"CHANGELOG.md",
		"CONTRIBUTING.md",
		...["admin", "dispatcher", "docs", "fixtures", "receiver", "shared", "test"]
			.flatMap(listFiles)
			.filter((path) => /\.(?:md|[mc]?[jt]s|vue|ya?ml|py|rb|go)$/.test(path)),
	];
	expect(files.length).toBeGreaterThan(1_000);
	expect(files.filter((path) => FORMER.test(readSource(path))).sort()).toEqual(
		KNOWING,
	);
});

test("the former variable is read where the new one is not set", () => {
	const now = { PARTNERWIRE_WEBHOOK_SECRET: "now" };
	const before = { PARTNERWIRE_SECRET: "before" };
	const secretOf = (env: Record<string, string>, given = {}) =>
		readSettings(given, env).secret;
	expect(secretOf(now)).toBe("now");
	expect(secretOf(before)).toBe("before");
	expect(secretOf({ ...now, ...before })).toBe("now");
	expect(secretOf({ PARTNERWIRE_WEBHOOK_SECRET: " ", ...before })).toBe(
		"before",
	);
	expect(secretOf({ ...now, ...before }, { secret: "flag" })).toBe("flag");
	expect(secretOf({})).toBe(undefined);
});
