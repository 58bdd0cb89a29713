import { afterAll, beforeAll } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { createIntegration } from "./records.ts";

/** A service for the whole file, with an integration that hears of everything. */
export function useApi(): () => Api {
	let api: Api;
	beforeAll(async () => {
		api = await openApi();
		await createIntegration(api);
	});
	afterAll(() => api.close());
	return () => api;
}

/** The events that were emitted meanwhile: their id and record. */
export async function readEvents(
	{ service }: Api,
	work: () => Promise<unknown>,
): Promise<[string, string][]> {
	const { query, tables } = service.store.read;
	const read = () =>
		query
			.select({ id: tables.event.eventId, record: tables.event.recordUuid })
			.from(tables.event)
			.orderBy(tables.event.id);
	const before = (await read()).length;
	await work();
	return (await read()).slice(before).map(({ id, record }) => [id, record]);
}
