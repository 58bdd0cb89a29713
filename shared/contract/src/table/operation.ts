import type { EventId } from "@partnerwire/wire";
import type * as z from "zod";
import { orDefault } from "./inferred.ts";
import type { ModuleId } from "./modules.ts";
import { NoParams } from "./params.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * How an operation runs: a `read` sees the database as it was at one moment, a `write` runs inside a transaction, an
 * `action` between two of them, so that no transaction waits for the network.
 */
export type OperationMode = "read" | "write" | "action";

/** Read keys may call GET; everything else needs a write key (docs/contract.md#conventions). */
const PERMISSIONS = {
	GET: "read",
	POST: "write",
	PUT: "write",
	PATCH: "write",
	DELETE: "write",
} as const satisfies Record<Method, "read" | "write">;
type Permissions = typeof PERMISSIONS;

/**
 * One row of the operation table: plain data, from which routes, validation, permissions, SDK methods and docs are made.
 * The row's key in the table is the operation's id.
 */
export interface Operation<
	Mode extends OperationMode = OperationMode,
	Verb extends Method = Method,
	Params extends z.ZodType = z.ZodType,
	Query extends z.ZodType = z.ZodType,
	Body extends z.ZodType | null = z.ZodType | null,
	Response extends z.ZodType = z.ZodType,
> {
	readonly mode: Mode;
	readonly method: Verb;
	/** From the host root, with `{name}` for path parameters: `/v1/leads/{uuid}`. */
	readonly path: `/${string}`;
	readonly summary: string;
	/** Its resource group (docs/coverage.md). */
	readonly group: string;
	readonly permission: Permissions[Verb];
	/** The company module without which it answers 403 `module_disabled`. */
	readonly module: ModuleId | null;
	readonly params: Params;
	readonly query: Query;
	/** Null if the operation takes no body. A body that is sent anyway is not read. */
	readonly body: Body;
	readonly response: Response;
	readonly status: 200 | 201;
	/** The events that it may emit (docs/decisions.md#which-operation-emits-what). */
	readonly emits: readonly EventId[];
	/** True if the answer holds a secret: it is encrypted wherever it is kept. */
	readonly secret: boolean;
	/**
	 * True if an empty id or a misspelt member would make it do far more than was meant. It is then served at its exact
	 * path only, and refuses unknown members and parameters (docs/decisions.md#exact-operations).
	 */
	readonly exact: boolean;
	/** Whether an `Idempotency-Key` replays the answer of a POST. False if an answer is soon out of date, such as a secret. */
	readonly replayed: boolean;
	/** Whether a read replica may answer it, without the newest changes (docs/scale.md#read-replica). */
	readonly replica: boolean;
}

/** The header of an answer of a read replica: the seconds whose changes it may lack. */
export const STALENESS_HEADER = "Partnerwire-Read-Staleness";

interface ReadSpec<
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
	readonly replica?: boolean;
}

interface Spec<
	Verb extends Method,
	Params extends z.ZodType,
	Query extends z.ZodType,
	Body extends z.ZodType | null,
	Response extends z.ZodType,
> extends ReadSpec<Params, Query, Response> {
	readonly method: Verb;
	readonly body?: Body;
	readonly status?: 200 | 201;
	readonly emits?: readonly EventId[];
	readonly replayed?: boolean;
	readonly exact?: boolean;
}

function toRow<
	Mode extends OperationMode,
	Verb extends Method,
	Params extends z.ZodType,
	Query extends z.ZodType,
	Body extends z.ZodType | null,
	Response extends z.ZodType,
>(
	mode: Mode,
	spec: Spec<Verb, Params, Query, Body, Response>,
): Operation<Mode, Verb, Params, Query, Body, Response> {
	return {
		module: null,
		status: 200,
		emits: [],
		secret: false,
		exact: false,
		replayed: true,
		replica: false,
		...spec,
		mode,
		permission: PERMISSIONS[spec.method],
		params: orDefault(spec.params, NoParams),
		query: orDefault(spec.query, NoParams),
		body: orDefault(spec.body, null),
	};
}

/** Declares an operation that reads: GET, with a read key. */
export const defineRead = <
	Response extends z.ZodType,
	Params extends z.ZodType = NoParams,
	Query extends z.ZodType = NoParams,
>(
	spec: ReadSpec<Params, Query, Response>,
) => toRow("read", { ...spec, method: "GET", body: null });

/** Declares operations that change something; they need a write key. */
const defineChanging =
	<Mode extends OperationMode>(mode: Mode) =>
	<
		const Verb extends Exclude<Method, "GET">,
		Response extends z.ZodType,
		Params extends z.ZodType = NoParams,
		Query extends z.ZodType = NoParams,
		Body extends z.ZodType | null = null,
	>(
		spec: Spec<Verb, Params, Query, Body, Response>,
	) =>
		toRow(mode, spec);

/** Declares an operation that changes records inside one transaction. */
export const defineWrite = defineChanging("write");

/** Declares an operation that, between two transactions, uses the network or works in many small steps. */
export const defineAction = defineChanging("action");

/** Declares an operation that computes an answer from its body and changes nothing: a POST, which needs a write key. */
export const defineEvaluation = defineChanging("read");

/** The parsed path parameters, query and body that a handler of the operation receives. */
export interface OperationInput<Op extends Operation> {
	params: z.output<Op["params"]>;
	query: z.output<Op["query"]>;
	body: Op["body"] extends z.ZodType ? z.output<Op["body"]> : undefined;
}

/** The arguments of a caller, before parsing: defaults may be left out. */
export interface OperationArguments<Op extends Operation> {
	params: z.input<Op["params"]>;
	query: z.input<Op["query"]>;
	body: Op["body"] extends z.ZodType ? z.input<Op["body"]> : undefined;
}

/** The answer of the operation. */
export type OperationResponse<Op extends Operation> = z.output<Op["response"]>;
