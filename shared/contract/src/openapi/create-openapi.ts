import { EVENT_IDS, type EventId } from "@partnerwire/wire";
import type * as z from "zod";
import { OPERATION_IDS, operations } from "../operations.ts";
import { eventBodySchema } from "../resources/webhooks/payload.ts";
import { type Operation, STALENESS_HEADER } from "../table/operation.ts";
import { toErrorReferences, toErrorResponses } from "./error-responses.ts";
import { toTags } from "./tags.ts";
import { toExample } from "./to-example.ts";
import {
	type JsonSchema,
	toComponentSchemas,
	toJsonSchema,
	toSchemaOrReference,
} from "./to-json-schema.ts";

/** The version of the published interface description (docs/contract.md#versioning). */
const VERSION = "1.0.0";

export interface OpenApiDocument {
	readonly openapi: "3.1.0";
	readonly info: JsonSchema;
	readonly servers: readonly JsonSchema[];
	readonly tags: ReturnType<typeof toTags>;
	readonly security: readonly JsonSchema[];
	readonly paths: Readonly<
		Record<string, Readonly<Record<string, OpenApiOperation>>>
	>;
	readonly webhooks: Readonly<Record<string, JsonSchema>>;
	readonly components: {
		readonly schemas: Readonly<Record<string, JsonSchema>>;
		readonly responses: Readonly<Record<string, JsonSchema>>;
		readonly parameters: JsonSchema;
		readonly headers: JsonSchema;
		readonly securitySchemes: JsonSchema;
	};
}

export interface OpenApiOperation extends JsonSchema {
	readonly operationId: string;
	readonly responses: Readonly<Record<string, JsonSchema>>;
}

type Describe = (
	schema: z.ZodType,
	io: "input" | "output",
	example?: unknown,
) => JsonSchema;

/**
 * The OpenAPI 3.1 document of the operation table: paths, webhooks, errors and examples.
 *
 * @param exampleOfEvent gives the body of an event, such as its fixture; without it an example is made from the schema
 */
export function createOpenApi(
	exampleOfEvent: (id: EventId) => unknown = () => undefined,
): OpenApiDocument {
	const schemas = toComponentSchemas();
	const resolve = (reference: string) =>
		schemas[reference.slice("#/components/schemas/".length)] ?? {};

	const describe: Describe = (schema, io, example) => {
		const json = toSchemaOrReference(schema, io);
		return {
			"application/json": {
				schema: json,
				example: example ?? toExample(json, resolve),
			},
		};
	};

	const paths: Record<string, Record<string, OpenApiOperation>> = {};
	for (const id of OPERATION_IDS) {
		const operation: Operation = operations[id];
		paths[operation.path] = {
			...paths[operation.path],
			[operation.method.toLowerCase()]: toOperation(id, operation, describe),
		};
	}
	return {
		openapi: "3.1.0",
		info: {
			title: "Partnerwire",
			version: VERSION,
			description:
				"Partners, leads and deals, and webhooks that arrive. Timestamps are ISO 8601 UTC; unknown members of requests are ignored, and named in the header `Partnerwire-Ignored`, but by operations that say otherwise. `Prefer: handling=strict` makes them a 400.",
			license: { name: "MIT", identifier: "MIT" },
		},
		servers: [{ url: "/" }],
		tags: toTags(OPERATION_IDS.map((id) => operations[id].group)),
		security: [{ bearer: [] }, { apiKey: [] }],
		paths,
		webhooks: Object.fromEntries(
			EVENT_IDS.map((id) => [id, toWebhook(id, describe, exampleOfEvent(id))]),
		),
		components: {
			schemas,
			responses: toErrorResponses(),
			parameters: { Prefer: PREFER },
			headers: { Ignored: IGNORED },
			securitySchemes: SECURITY_SCHEMES,
		},
	};
}

const SECURITY_SCHEMES = {
	bearer: {
		type: "http",
		scheme: "bearer",
		description: "Authorization: Bearer <API_KEY>",
	},
	apiKey: {
		type: "apiKey",
		in: "header",
		name: "Authorization",
		description: "Authorization: Api-Key <API_KEY>",
	},
	webhookToken: {
		type: "http",
		scheme: "bearer",
		bearerFormat: "JWT",
		description:
			"HS256, signed with the integration's signing secret (integration_uuid); sent by Partnerwire, verified by the receiver",
	},
};

function toOperation(
	id: string,
	operation: Operation,
	describe: Describe,
): OpenApiOperation {
	const { emits, module, body } = operation;
	const notes = [
		`Needs a key with the ${operation.permission} permission.`,
		module && `Needs the module \`${module}\`.`,
		operation.exact &&
			"Served at its exact path alone; refuses members and parameters that it does not know.",
		emits.length > 0 && `Emits ${emits.map((e) => `\`${e}\``).join(", ")}.`,
	];
	return {
		operationId: id,
		summary: operation.summary,
		description: notes.filter(Boolean).join(" "),
		tags: [operation.group],
		parameters: [
			...toParameters(operation.params, "path"),
			...toParameters(operation.query, "query"),
			{ $ref: "#/components/parameters/Prefer" },
			...(operation.method === "POST" && operation.replayed
				? [IDEMPOTENCY_KEY]
				: []),
			...(operation.replica ? [CACHE_CONTROL] : []),
		],
		...(body && {
			requestBody: {
				required: !body.safeParse(undefined).success,
				content: describe(body, "input"),
			},
		}),
		responses: {
			[operation.status]: {
				description: operation.status === 201 ? "Created" : "Done",
				headers: {
					"Partnerwire-Ignored": { $ref: "#/components/headers/Ignored" },
					...(operation.replica && { [STALENESS_HEADER]: STALENESS }),
				},
				content: describe(operation.response, "output"),
			},
			...toErrorReferences(operation),
		},
	};
}

const IDEMPOTENCY_KEY = {
	name: "Idempotency-Key",
	in: "header",
	required: false,
	description: "The same key and body replay the first answer for 24 h.",
	schema: { type: "string", minLength: 1, maxLength: 255 },
};

const CACHE_CONTROL = {
	name: "Cache-Control",
	in: "header",
	required: false,
	description:
		"`no-cache`: the answer has every change that was answered before, because no read replica gives it.",
	schema: { type: "string", example: "no-cache" },
};

const STALENESS = {
	description:
		"A read replica answered: changes of the last so many seconds may be missing. Without it none is missing.",
	schema: { type: "number", minimum: 0, example: 0.3 },
};

const PREFER = {
	name: "Prefer",
	in: "header",
	required: false,
	description:
		"`handling=strict`: members and parameters that the operation does not know are a 400, instead of being ignored.",
	schema: { type: "string" },
};

const IGNORED = {
	description:
		"The members and parameters of the request that the operation does not know, such as `body/name, body/value; query/limit`; left out if there are none.",
	schema: { type: "string" },
};

function toParameters(schema: z.ZodType, where: "path" | "query") {
	const { properties = {}, required = [] } = toJsonSchema(schema, "input") as {
		properties?: Record<string, JsonSchema>;
		required?: string[];
	};
	return Object.entries(properties).map(([name, member]) => ({
		name,
		in: where,
		required: where === "path" || required.includes(name),
		schema: member,
	}));
}

/** `lead_created` → `leadCreated`: code generators name a webhook's types after it. */
const toWebhookName = (id: EventId) =>
	id.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const toWebhook = (id: EventId, describe: Describe, example: unknown) => ({
	post: {
		operationId: toWebhookName(id),
		summary: `A ${id.replaceAll("_", " ")} event`,
		security: [{ webhookToken: [] }],
		requestBody: {
			required: true,
			content: describe(eventBodySchema(id), "output", example),
		},
		responses: {
			200: { description: "Received; anything else is tried again" },
			401: { description: "The token is missing, malformed, wrong or expired" },
		},
	},
});
