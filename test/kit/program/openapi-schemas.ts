import {
	createOpenApi,
	type Operation,
	type OperationId,
} from "@partnerwire/contract";
import * as z from "zod";

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

interface Content {
	content: { "application/json": { schema: object } };
}

const document = createOpenApi();

/** As the reader of a document resolves it: components become the schema's own definitions. */
const toLocal = (value: object) =>
	JSON.parse(
		JSON.stringify(value).replaceAll("#/components/schemas/", "#/$defs/"),
	);
const definitions = toLocal(document.components.schemas);

const schemas = new Map<string, z.ZodType>();

/** Whether `/openapi.json` says that an operation may answer a status. */
export const isDocumented = ({ path, method }: Operation, status: number) =>
	String(status) in
	(document.paths[path]?.[method.toLowerCase()]?.responses ?? {});

/** The schema of an operation's answer, read back from `/openapi.json`. */
export function documentedAnswer(
	id: OperationId,
	{ path, method, status }: Operation,
): z.ZodType {
	let schema = schemas.get(id);
	if (!schema) {
		const operation = document.paths[path]?.[method.toLowerCase()];
		const answer = operation?.responses[status] as unknown as Content;
		const json = toLocal(answer.content["application/json"].schema);
		schema = z.fromJSONSchema({
			...json,
			$defs: definitions,
		} as JsonSchema);
		schemas.set(id, schema);
	}
	return schema;
}
