import * as z from "zod";
import { isUuid } from "./is-uuid.ts";

/** A UUID (docs/contract.md#conventions), folded to lower case: records store theirs that way. */
export const Uuid = z
	.string()
	.refine(isUuid, {
		error: "must be a UUID (version 1 to 8, variant 8, 9, a or b)",
	})
	.toLowerCase()
	.meta({ format: "uuid" });
export type Uuid = z.infer<typeof Uuid>;
