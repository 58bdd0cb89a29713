import * as z from "zod";
import { ERROR_STATUS, type ErrorCode } from "./api-error.ts";

/** One rejected member: `field` is `body/title`, or a custom field's uuid (docs/decisions.md#details-of-a-400). */
export const ErrorDetail = z.object({
	field: z.string(),
	label: z.string().optional(),
	reason: z.string(),
	message: z.string(),
});
export type ErrorDetail = z.infer<typeof ErrorDetail>;

/** The body of every error (docs/contract.md#errors). */
export const ErrorBody = z.object({
	error: z.object({
		code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
		message: z.string(),
		details: z.array(ErrorDetail).optional(),
	}),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
