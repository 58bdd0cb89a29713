import { z } from "zod";
import { UserRef } from "../table/references.ts";
import { requiredLine, timestamp } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";

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
