import { z } from "zod";
import type { EventId } from "./event-ids.ts";
import type { ModuleId } from "./modules.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * How an operation runs: a `read` without a transaction, a `write` inside one, an `action` as
 * commit → port → commit, so that no network happens inside a transaction (design §1).
 */
export type OperationMode = "read" | "write" | "action";

/**
 * One row of the operation table: plain data, from which routes, validation, permissions, SDK methods and docs
 * are projected. The id is the row's key in the table.
 */
export interface Operation<
	Params extends z.ZodType = z.ZodType,
	Query extends z.ZodType = z.ZodType,
	Body extends z.ZodType | null = z.ZodType | null,
	Response extends z.ZodType = z.ZodType,
> {
	readonly method: Method;
	/** From the host root, with `{name}` for path parameters: `/v1/leads/{uuid}`. */
	readonly path: `/${string}`;
	readonly summary: string;
	/** The resource group of the spec that it belongs to. */
	readonly group: string;
	readonly permission: "read" | "write";
	readonly mode: OperationMode;
	/** The company module without which it answers 403 `module_disabled`. */
	readonly module: ModuleId | null;
	readonly params: Params;
	readonly query: Query;
	/** Null where the operation takes no body: whatever is sent is not read. */
	readonly body: Body;
	readonly response: Response;
	readonly status: 200 | 201;
	/** The events that it may emit (decisions §2). */
	readonly emits: readonly EventId[];
	/** True when the answer holds a secret, which is then encrypted wherever it is kept. */
	readonly secret: boolean;
	/** True when it is offered as an MCP tool (decisions §8). */
	readonly tool: boolean;
}

const Nothing = z.object({});
type Nothing = typeof Nothing;

interface OperationSpec<
	Params extends z.ZodType,
	Query extends z.ZodType,
	Body extends z.ZodType | null,
	Response extends z.ZodType,
> extends Pick<
		Operation<Params, Query, Body, Response>,
		"method" | "path" | "summary" | "group" | "response"
	> {
	readonly params?: Params;
	readonly query?: Query;
	readonly body?: Body;
	readonly status?: 200 | 201;
	readonly mode?: OperationMode;
	readonly module?: ModuleId;
	readonly emits?: readonly EventId[];
	readonly secret?: boolean;
	readonly tool?: boolean;
}

/** Declares one operation. GET reads with a read key; every other method writes with a write key (spec, Authentication). */
export function defineOperation<
	Response extends z.ZodType,
	Params extends z.ZodType = Nothing,
	Query extends z.ZodType = Nothing,
	Body extends z.ZodType | null = null,
>(
	spec: OperationSpec<Params, Query, Body, Response>,
): Operation<Params, Query, Body, Response> {
	const reads = spec.method === "GET";
	return {
		method: spec.method,
		path: spec.path,
		summary: spec.summary,
		group: spec.group,
		permission: reads ? "read" : "write",
		mode: spec.mode ?? (reads ? "read" : "write"),
		module: spec.module ?? null,
		params: spec.params ?? (Nothing as unknown as Params),
		query: spec.query ?? (Nothing as unknown as Query),
		body: spec.body ?? (null as Body),
		response: spec.response,
		status: spec.status ?? 200,
		emits: spec.emits ?? [],
		secret: spec.secret ?? false,
		tool: spec.tool ?? false,
	};
}

/** The parsed path parameters, query and body that a handler of the operation receives. */
export interface OperationInput<Op extends Operation> {
	params: z.output<Op["params"]>;
	query: z.output<Op["query"]>;
	body: Op["body"] extends z.ZodType ? z.output<Op["body"]> : undefined;
}

/** What a caller of the operation gives, before parsing: defaults may be left out. */
export interface OperationArguments<Op extends Operation> {
	params: z.input<Op["params"]>;
	query: z.input<Op["query"]>;
	body: Op["body"] extends z.ZodType ? z.input<Op["body"]> : undefined;
}

/** What the operation answers. */
export type OperationResponse<Op extends Operation> = z.output<Op["response"]>;
