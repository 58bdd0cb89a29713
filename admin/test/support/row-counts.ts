import { count } from "drizzle-orm";
import { expect } from "vitest";
import type { Api } from "#kit/program/api.ts";
import type { Answer } from "#kit/program/client.ts";

/** How many rows there are of everything that a write can leave behind. */
export async function countRows({ service }: Api) {
	const { query, tables } = service.store.read;
	const counted = {
		partner: tables.partner,
		lead: tables.lead,
		deal: tables.deal,
		note: tables.note,
		apiKey: tables.apiKey,
		integration: tables.integration,
		integrationConfiguration: tables.integrationConfiguration,
		audit: tables.audit,
		event: tables.event,
		delivery: tables.delivery,
		idempotency: tables.idempotency,
	};
	const counts: Partial<Record<keyof typeof counted, number>> = {};
	for (const [name, table] of Object.entries(counted)) {
		const [row] = await query.select({ rows: count() }).from(table);
		counts[name as keyof typeof counted] = row?.rows ?? 0;
	}
	return counts;
}

/** Sends a request that must be refused with 400, and sees that it left no row behind. */
export async function expectRefused(
	api: Api,
	send: () => Promise<Answer>,
	naming: string | RegExp = "",
): Promise<Answer> {
	const before = await countRows(api);
	const answer = await send();
	expect(answer.body.error.code).toBe("validation_error");
	expect(answer.body.error.message).toMatch(naming);
	expect(await countRows(api)).toEqual(before);
	return answer;
}
