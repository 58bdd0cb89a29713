import { randomUUID } from "node:crypto";

/** What each integration sends along with each event. */
export const CONFIGURATION = [
	{
		id: "lead_integration_settings",
		selected: [{ id: "unique_field_lead", value: "email" }],
	},
];

/** How many requests are under way at once, by every contender. */
export const CONNECTIONS = 64;
export const BODY_BYTES = 1024;

export const CONFIGURATION_JSON = JSON.stringify(CONFIGURATION);

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

/** The entity of every event: with the configuration it makes a body of `BODY_BYTES`. */
export const ENTITY = toEntity("x".repeat(paddingLength));

/** What a contender answers: how many deliveries, and in how long, from the first event to the last result. */
export interface Delivered {
	readonly delivered: number;
	readonly seconds: number;
}

export interface DeliveryCalls {
	open(given: {
		folder: string;
		origin: string;
		integrations: number;
		/** Of a server; else a file in the folder. */
		database?: string;
	}): Promise<void>;
	run(seconds: number): Promise<Delivered>;
	[name: string]: (argument: never) => unknown;
}
