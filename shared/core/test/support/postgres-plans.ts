import pg from "pg";
import { vi } from "vitest";
import { onDatabase } from "#kit/database/database-client.ts";

/** A statement as it was sent to the server. */
interface Statement {
	readonly text: string;
	readonly values: unknown[];
}

export interface PostgresPlan {
	readonly text: string;
	readonly plan: string;
}

/** Runs `work`, and answers the statements that it sent to PostgreSQL, each text once. */
export async function statementsOf(
	work: () => Promise<unknown>,
): Promise<Statement[]> {
	const query = vi.spyOn(pg.Client.prototype, "query");
	await work();
	const statements = new Map<string, Statement>();
	for (const [config] of query.mock.calls) {
		const { text, values } = config as unknown as Partial<Statement>;
		if (text) statements.set(text, { text, values: values ?? [] });
	}
	query.mockRestore();
	return [...statements.values()];
}

/**
 * PostgreSQL's plans of statements, two for each: one with its values, as executions without a prepared name are
 * planned, and a generic one, as statements prepared by name may be.
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
