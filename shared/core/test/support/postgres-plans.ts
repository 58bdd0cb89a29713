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
		const add = async (text: string, query: pg.QueryConfig) => {
			const { rows } = await client.query(query);
			const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
			plans.push({ text, plan });
		};
		await client.query("set plan_cache_mode = force_generic_plan");
		for (const { text, values } of statements) {
			await add(text, { text: `explain ${text}`, values });
			await client.query(`prepare generic as ${text}`);
			const nulls = values.length ? `(${values.map(() => "null")})` : "";
			await add(text, { text: `explain execute generic${nulls}` });
			await client.query("deallocate generic");
		}
		return plans;
	});
