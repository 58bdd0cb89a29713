import { z } from "zod";
import { RecordParams, Success } from "../crud.ts";
import { defineRead, defineWrite } from "../operation.ts";
import { pageOf, pageQuery } from "../pagination.ts";
import { ApiKey, ApiKeyCreate, ApiKeyCreated } from "../resources/api-key.ts";

const shared = { group: "Account" } as const;

export const apiKeyOperations = {
	listApiKeys: defineRead({
		...shared,
		path: "/v1/api-keys",
		summary: "List the API keys, without their values",
		query: z.object(pageQuery),
		response: pageOf(ApiKey),
	}),
	createApiKey: defineWrite({
		...shared,
		method: "POST",
		path: "/v1/api-keys",
		summary: "Create an API key; its value is answered once",
		body: ApiKeyCreate,
		response: ApiKeyCreated,
		status: 201,
		secret: true,
	}),
	revokeApiKey: defineWrite({
		...shared,
		method: "DELETE",
		path: "/v1/api-keys/{uuid}",
		summary: "Revoke an API key at once",
		params: RecordParams,
		response: Success,
	}),
};
