import * as z from "zod";
import { pageOf, pageQuery } from "../../table/list-query.ts";
import { defineRead, defineWrite } from "../../table/operation.ts";
import { RecordParams, Success } from "../../table/params.ts";
import { UserRef } from "../../table/references.ts";
import { requiredLine, timestamp } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";

/** An API key as it is shown after creation: without its value (docs/contract.md#authentication). */
export const ApiKey = z.object({
	uuid: z.string(),
	label: z.string(),
	/** The first characters of the value, enough to recognise it and too few to use it. */
	hint: z.string(),
	read: z.boolean(),
	write: z.boolean(),
	user: UserRef,
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** The answer of creation, the only one that holds the value. */
export const ApiKeyCreated = ApiKey.extend({ key: z.string() });
export type ApiKeyCreated = z.infer<typeof ApiKeyCreated>;

/** `user_uuid` is the key's actor; it defaults to the actor of the key that creates it. */
export const ApiKeyCreate = z
	.object({
		label: requiredLine(),
		read: z.boolean().default(false),
		write: z.boolean().default(false),
		user_uuid: Uuid.optional(),
	})
	.refine(({ read, write }) => read || write, {
		path: ["read"],
		error: "a key needs read, write or both",
	})
	.meta({ examples: [{ label: "CRM", read: true, write: false }] });
export type ApiKeyCreate = z.infer<typeof ApiKeyCreate>;

const apiKeys = { group: "Account", path: "/v1/api-keys" } as const;

/** API keys. A key never creates one with more permission than its own. */
export const apiKeyOperations = {
	listApiKeys: defineRead({
		...apiKeys,
		summary: "List the API keys, without their values",
		query: z.object(pageQuery),
		response: pageOf(ApiKey),
	}),
	createApiKey: defineWrite({
		...apiKeys,
		method: "POST",
		summary: "Create an API key; its value is answered once",
		body: ApiKeyCreate,
		response: ApiKeyCreated,
		status: 201,
		secret: true,
	}),
	revokeApiKey: defineWrite({
		...apiKeys,
		method: "DELETE",
		path: `${apiKeys.path}/{uuid}`,
		summary: "Revoke an API key at once",
		params: RecordParams,
		response: Success,
	}),
};
