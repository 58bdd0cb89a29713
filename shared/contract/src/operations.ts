import type {
	Operation,
	OperationArguments,
	OperationInput,
	OperationResponse,
} from "./operation.ts";
import { apiKeyOperations } from "./operations/access.ts";
import { integrationOperations } from "./operations/integrations.ts";
import { linkOperations } from "./operations/links.ts";
import {
	dealNoteOperations,
	dealOperations,
	leadNoteOperations,
	leadOperations,
	partnerOperations,
} from "./operations/records.ts";
import { webhookEventOperations } from "./operations/webhook-events.ts";

/** Every operation of the API, by its operationId. Routes, validation, handlers and the SDK are projected from this table. */
export const operations = {
	...partnerOperations,
	...leadOperations,
	...leadNoteOperations,
	...dealOperations,
	...dealNoteOperations,
	...linkOperations,
	...apiKeyOperations,
	...integrationOperations,
	...webhookEventOperations,
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
export const OPERATION_IDS = Object.keys(operations) as OperationId[];

/** What the handler of an operation receives. */
export type InputOf<Id extends OperationId> = OperationInput<Operations[Id]>;
/** What a caller of an operation gives. */
export type ArgumentsOf<Id extends OperationId> = OperationArguments<
	Operations[Id]
>;
/** What an operation answers. */
export type ResponseOf<Id extends OperationId> = OperationResponse<
	Operations[Id]
>;
