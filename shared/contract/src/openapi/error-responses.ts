import { ERROR_STATUS, type ErrorCode } from "../table/api-error.ts";
import type { Operation } from "../table/operation.ts";
import { type JsonSchema, toJsonSchema } from "./to-json-schema.ts";

/** The errors that an operation may answer, beside those that every operation may (docs/contract.md#errors). */
export function toErrorReferences({ method, path, query, module }: Operation) {
	const codes: (ErrorCode | false | null)[] = [
		"validation_error",
		"unauthorized",
		module ? "module_disabled" : "forbidden",
		(path.includes("{") || needsRecord(query)) && "not_found",
		method !== "GET" && "conflict",
		"rate_limit_exceeded",
		"internal_error",
	];
	return Object.fromEntries(
		codes
			.filter((code) => code !== false && code !== null)
			.map((code) => [
				String(ERROR_STATUS[code]),
				{ $ref: `#/components/responses/${code}` },
			]),
	);
}

/** Whether the query must name a record, such as the integration of the feed: an unknown one is 404. */
function needsRecord(query: Operation["query"]): boolean {
	const { required } = toJsonSchema(query, "input");
	return (
		Array.isArray(required) &&
		required.some((name) => /_(id|uuid)$/.test(String(name)))
	);
}

/** `components.responses`: one for each error code. */
export function toErrorResponses(): Record<string, JsonSchema> {
	const codes = Object.keys(ERROR_STATUS) as ErrorCode[];
	const detail = {
		field: "body/label",
		reason: "missing_required",
		message: "is required",
	};
	return Object.fromEntries(
		codes.map((code) => {
			const details = code === "validation_error" ? [detail] : undefined;
			const message = details ? "body/label: is required" : MESSAGES[code];
			return [
				code,
				{
					description: MESSAGES[code],
					...(code === "rate_limit_exceeded" && {
						headers: {
							"Retry-After": {
								description: "Whole seconds until the next try",
								schema: { type: "integer", minimum: 1 },
							},
						},
					}),
					content: {
						"application/json": {
							schema: { $ref: "#/components/schemas/ErrorBody" },
							example: {
								error: { code, message, ...(details && { details }) },
							},
						},
					},
				},
			];
		}),
	);
}

/** The conditions in the contract's table of errors (docs/contract.md#errors). */
const MESSAGES: Readonly<Record<ErrorCode, string>> = {
	validation_error: "path, query or body parameters fail validation",
	unauthorized: "missing or invalid API key",
	forbidden: "the key lacks the permission needed",
	module_disabled:
		"the key lacks the permission needed (code `forbidden`), or the module is not enabled for the account",
	not_found: "the resource does not exist",
	conflict: "the action conflicts with existing data",
	rate_limit_exceeded: "too many requests",
	internal_error: "unexpected server error",
};
