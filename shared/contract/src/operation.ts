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
	Mode extends OperationMode = OperationMode,
	Params extends z.ZodType = z.ZodType,
	Query extends z.ZodType = z.ZodType,
	Body extends z.ZodType | null = z.ZodType | null,
	Response extends z.ZodType = z.ZodType,
> {
	readonly mode: Mode;
	readonly method: Method;
	/** From the host root, with `{name}` for path parameters: `/v1/leads/{uuid}`. */
	readonly path: `/${string}`;
	readonly summary: string;
	/** The resource group of the spec that it belongs to. */
	readonly group: string;
	/** Read keys may call GET; everything else needs a write key (spec, Endpoints: conventions). */
	readonly permission: "read" | "write";
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
	/**
	 * True where an empty id or a misspelt member would make it do far more than was meant: it is served at its exact path alone
	 * and refuses members and parameters that it does not know (decisions §1: exact operations).
	 */
	readonly exact: boolean;
	/** Whether an `Idempotency-Key` replays the answer of a POST; false where an answer is true only when it is made. */
	readonly replayed: boolean;
}

const Nothing = z.object({});
type Nothing = typeof Nothing;

interface Spec<
	Params extends z.ZodType,
	Query extends z.ZodType,
	Response extends z.ZodType,
> {
	readonly path: `/${string}`;
	readonly summary: string;
	readonly group: string;
	readonly response: Response;
	readonly params?: Params;
	readonly query?: Query;
	readonly module?: ModuleId;
	readonly secret?: boolean;
}

interface WriteSpec<
	Params extends z.ZodType,
	Query extends z.ZodType,
	Body extends z.ZodType | null,
	Response extends z.ZodType,
> extends Spec<Params, Query, Response> {
	readonly method: Exclude<Method, "GET">;
	readonly body?: Body;
	readonly status?: 200 | 201;
	readonly emits?: readonly EventId[];
	readonly replayed?: boolean;
	readonly exact?: boolean;
}

const common = {
	module: null,
	params: Nothing,
	query: Nothing,
	body: null,
	status: 200,
	emits: [],
	secret: false,
	exact: false,
	replayed: true,
} as const;

/** Declares an operation that reads: GET, with a read key. */
export function defineRead<
	Response extends z.ZodType,
	Params extends z.ZodType = Nothing,
	Query extends z.ZodType = Nothing,
>(spec: Spec<Params, Query, Response>) {
	return {
		...common,
		mode: "read",
		method: "GET",
		permission: "read",
		...spec,
	} as unknown as Operation<"read", Params, Query, null, Response>;
}

/** Declares operations that change something; they need a write key. */
const defineChanging =
	<Mode extends OperationMode>(mode: Mode) =>
	<
		Response extends z.ZodType,
		Params extends z.ZodType = Nothing,
		Query extends z.ZodType = Nothing,
		Body extends z.ZodType | null = null,
	>(
		spec: WriteSpec<Params, Query, Body, Response>,
	) =>
		({
			...common,
			mode,
			permission: "write",
			...spec,
		}) as unknown as Operation<Mode, Params, Query, Body, Response>;

/** Declares an operation that changes records inside one transaction. */
export const defineWrite = defineChanging("write");

/** Declares an operation that reaches over the network, or works in many small steps, between two transactions. */
export const defineAction = defineChanging("action");

/** Declares an operation that works something out of its body and changes nothing: a POST, which needs a write key. */
export const defineEvaluation = defineChanging("read");

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
