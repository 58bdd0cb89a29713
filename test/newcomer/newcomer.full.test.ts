import { expect, test } from "vitest";
import { runPage } from "../kit/program/run-page.ts";
import { listFiles } from "../kit/sources.ts";

const tasks = listFiles("test/newcomer").filter((path) => path.endsWith(".md"));

test("there are twelve tasks", () => {
	expect(tasks).toHaveLength(12);
});

test.each([
	...tasks,
	"docs/quick-start.md",
	"docs/first-webhook.md",
	"docs/deploy.md",
])("%s can be done as it is written", (page) => runPage(page));
