import pg from "pg";
import { vi } from "vitest";
import { onDatabase } from "./database-client.ts";

/** A statement as it went to the server. */
interface Statement {
	readonly text: string;
	readonly values: unknown[];
}

export interface PostgresPlan {
	readonly text: string;
	readonly plan: string;
}

/** Runs `work`, and answers what it asked of PostgreSQL, each text once. */
export async function statementsOf(
	work: () => Promise<unknown>,
): Promise<Statement[]> {
	const query = vi.spyOn(pg.Client.prototype, "query");
	await work();
	const statements = new Map<string, Statement>();
	for (const [given] of query.mock.calls) {
		const { text, values } = given as unknown as Partial<Statement>;
		if (text) statements.set(text, { text, values: values ?? [] });
	}
	query.mockRestore();
	return [...statements.values()];
}

/**
 * PostgreSQL's plans of statements: with their values, as every execution is planned that is not prepared by name, and for
 * any values, as one that is.
 */
export const plansOf = (
	database: string,
	statements: readonly Statement[],
): Promise<PostgresPlan[]> =>
	onDatabase(database, async (client) => {
		const plans: PostgresPlan[] = [];
		for (const { text, values } of statements)
			for (const query of [
				{ text: `explain ${text}`, values },
				{ text: `explain (generic_plan) ${text}` },
			]) {
				const { rows } = await client.query(query);
				const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
				plans.push({ text, plan });
			}
		return plans;
	});
