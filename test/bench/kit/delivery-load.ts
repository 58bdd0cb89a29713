import { randomUUID } from "node:crypto";
import type { Calls as SinkCalls } from "../children/sink.ts";
import type { Child } from "./child.ts";
import { expect } from "./expect.ts";

/** The configuration that each integration sends with each event. */
export const CONFIGURATION = [
	{
		id: "lead_integration_settings",
		selected: [{ id: "unique_field_lead", value: "email" }],
	},
];

/** The number of requests in flight, for every contender. */
export const CONNECTIONS = 64;
const BODY_BYTES = 1024;

const CONFIGURATION_JSON = JSON.stringify(CONFIGURATION);

export const encodeBody = (entityJson: string): string =>
	`{"lead":${entityJson},"configuration":${CONFIGURATION_JSON}}`;

const toEntity = (description: string) => ({
	uuid: randomUUID(),
	company_name: "Globex",
	email: "a@globex.example",
	description,
});
const paddingLength =
	BODY_BYTES - encodeBody(JSON.stringify(toEntity(""))).length;

/** The entity of every event. Together with the configuration it makes a body of `BODY_BYTES`. */
export const ENTITY = toEntity("x".repeat(paddingLength));

/** A contender's result: the number of deliveries, and the time from the first event to the last result. */
export interface Delivered {
	readonly delivered: number;
	readonly seconds: number;
}

export interface DeliveryCalls {
	open(given: {
		folder: string;
		origin: string;
		integrations: number;
		/** The URL of a server. By default a file in the folder. */
		database?: string;
	}): Promise<void>;
	run(seconds: number): Promise<Delivered>;
	[name: string]: (argument: never) => unknown;
}

/** Checks that every delivery arrived exactly once, with its whole body. */
export async function expectArrivals(
	sink: Child<SinkCalls>,
	delivered: number,
): Promise<void> {
	const { requests, bytes } = await sink.call("takeCounts", undefined);
	expect(
		delivered > 0 && requests === delivered,
		`${delivered} deliveries were ${requests} requests`,
	);
	expect(
		bytes === requests * BODY_BYTES,
		`${requests} requests had ${bytes} bytes`,
	);
}
