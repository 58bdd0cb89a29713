import { z } from "zod";
import {
	Account,
	AccountModule,
	AccountModuleUpdate,
	AccountPermissions,
} from "../resources/account.ts";
import { ApiKey, ApiKeyCreate, ApiKeyCreated } from "../resources/api-key.ts";
import { AuditEntry, auditFilters } from "../resources/audit-entry.ts";
import { pageOf, pageQuery } from "../table/list-query.ts";
import { defineRead, defineWrite } from "../table/operation.ts";
import { RecordParams, Success } from "../table/params.ts";

const shared = { group: "Account" } as const;

/** API keys. A key never creates one with more permission than its own. */
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

/** The company of the key, its modules, and its audit log. */
export const accountOperations = {
	getAccount: defineRead({
		...shared,
		path: "/v1/account",
		summary: "Get the company that the key belongs to",
		response: Account,
	}),
	getAccountPermissions: defineRead({
		...shared,
		path: "/v1/account/permissions",
		summary: "Get what the key may do",
		response: AccountPermissions,
	}),
	listAccountModules: defineRead({
		...shared,
		path: "/v1/account/modules",
		summary: "List the modules and whether they are enabled",
		response: z.array(AccountModule),
	}),
	updateAccountModule: defineWrite({
		...shared,
		method: "PATCH",
		path: "/v1/account/modules/{module}",
		summary: "Enable or disable a module",
		params: z.object({ module: z.string() }),
		body: AccountModuleUpdate,
		response: AccountModule,
	}),
	listAuditLog: defineRead({
		group: "Audit Log",
		path: "/v1/audit-log",
		summary: "List who did what, newest first",
		query: z.object({ ...pageQuery, ...auditFilters }),
		response: pageOf(AuditEntry),
	}),
};
