import type pg from "pg";

/** Runs `work` on its own connection to a PostgreSQL database. */
export async function onDatabase<Result>(
	url: string,
	work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
	const { default: pg } = await import("pg");
	const client = new pg.Client({ connectionString: url });
	await client.connect();
	try {
		return await work(client);
	} finally {
		await client.end();
	}
}
