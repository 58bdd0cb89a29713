import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import config from "../vitest.config.ts";

test(".ci/run requires of each project that its tests had the engine that it is for", () => {
	const projects = (config.test?.projects ?? []) as {
		test: { name: string };
	}[];
	const gate = readFileSync(".ci/run", "utf8");
	const required = [...gate.matchAll(/^require (\S+) /gm)].map(
		([, one]) => one,
	);
	expect(required).toEqual(projects.map(({ test }) => test.name));
});
