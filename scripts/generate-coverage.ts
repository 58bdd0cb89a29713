/**
 * Writes docs/coverage.md from the operation table and the test files.
 * Usage: npm run docs:coverage
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toCoveragePage } from "./coverage-page/to-coverage-page.ts";

writeFileSync(
	join(import.meta.dirname, "../docs/coverage.md"),
	toCoveragePage(),
);
