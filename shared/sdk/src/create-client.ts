import type {
	ArgumentsOf,
	OperationId,
	ResponseOf,
} from "@partnerwire/contract";
import { ApiError } from "@partnerwire/contract/api-error";
import { checkParams } from "./check-params.ts";
import { markByCreation } from "./pages.ts";
import { LISTS_BY_CREATION, ROUTES } from "./routes.generated.ts";
import { send } from "./send.ts";
import { isUnset, toUrl } from "./to-url.ts";

/** A member that is undefined is one that was not given. */
export interface ClientOptions {
	/** The service's root, without `/v1`: `http://127.0.0.1:3000`. */
	readonly baseUrl: string;
	/** The value of an API key; it is sent as a bearer token and shown nowhere. */
	readonly apiKey: string;
	/** Sends the requests. By default `globalThis.fetch`, looked up for each request. */
	readonly fetch?: typeof fetch | undefined;
	/** Milliseconds that one attempt may take (30,000). */
	readonly timeoutMs?: number | undefined;
	/** How often a call is repeated after a 429, a 503 or a failed connection (3). */
	readonly retries?: number | undefined;
	/** The longest `Retry-After` that is waited for, in milliseconds (60,000). */
	readonly maxRetryAfterMs?: number | undefined;
	/** Called when the service did not know members of a call, and ignored them. By default each such call writes a warning to the console. */
	readonly onIgnored?: ((ignored: Ignored) => void) | undefined;
}

/** What the service ignored of a call, such as a misspelt member: what it held is not stored. */
export interface Ignored {
	/** The call's method and path, such as `POST /v1/deals`. */
	readonly route: string;
	/** The names as in the header `Partnerwire-Ignored`, such as `body/name` and `query/limit`: at most 20, the last of more is `more`. */
	readonly members: readonly string[];
}

/** The options of one call. */
export interface CallOptions {
	/** Aborts the call, its attempts and its waits. */
	readonly signal?: AbortSignal | undefined;
	/** Milliseconds that one attempt of this call may take. */
	readonly timeoutMs?: number | undefined;
	/** For a POST: the same key and body run once (docs/decisions.md#idempotency). By default each call has a new key. */
	readonly idempotencyKey?: string | undefined;
}

type Simplify<Type> = { [Key in keyof Type]: Type[Key] } & {};
type Nothing = Record<never, never>;
type Part<Name extends string, Value> = undefined extends Value
	? { readonly [Key in Name]?: Value }
	: Nothing extends Value
		? { readonly [Key in Name]?: Value }
		: { readonly [Key in Name]: Value };

/** The argument of a method: `params` and `body` only if the operation has any. */
export type CallArguments<Id extends OperationId> = Simplify<
	Part<"params", ArgumentsOf<Id>["params"]> &
		Part<"query", ArgumentsOf<Id>["query"]> &
		Part<"body", ArgumentsOf<Id>["body"]>
>;

type Method<Id extends OperationId> =
	object extends CallArguments<Id>
		? (
				call?: CallArguments<Id>,
				options?: CallOptions,
			) => Promise<ResponseOf<Id>>
		: (
				call: CallArguments<Id>,
				options?: CallOptions,
			) => Promise<ResponseOf<Id>>;

/**
 * One method per operation of the table, by its operationId. A method has the comment of its route, because the type is
 * mapped from that of the routes.
 */
export type Client = { readonly [Id in keyof typeof ROUTES]: Method<Id> };

/** A call as the HTTP request is made from it. */
interface RawCall {
	readonly params?: Readonly<Record<string, string>>;
	readonly query?: Readonly<Record<string, unknown>>;
	readonly body?: unknown;
}

const VERSION_HINT =
	" (each path begins with /v1: leave it out at the end of the service's address)";

const warnOfIgnored = ({ route, members }: Ignored): void =>
	console.warn(
		`Partnerwire does not know ${members.join(", ")} of ${route}, and ignored it`,
	);

/** A number in JavaScript too. NaN is none. */
function checkNumber(name: string, value: unknown, least: number): void {
	if (typeof value !== "number" || !(value >= least))
		throw new TypeError(`${name} must be a number of at least ${least}`);
}

/**
 * Creates a client of a Partnerwire service. It has a method for each operation.
 *
 * A method throws an `ApiError`, whose `code` says what went wrong, or the error of `fetch` if no answer came. A path
 * parameter that is no uuid is a `validation_error` before anything is sent. A call that got a 429 or 503 is repeated
 * after its `Retry-After`.
 *
 * @throws TypeError without an API key or an address, and for a number that is out of range
 *
 * @example
 * const client = createClient({ baseUrl: "http://127.0.0.1:3000", apiKey });
 * const lead = await client.createLead({ body: { partnership_uuid, company_name: "Globex" } });
 */
export function createClient(options: ClientOptions): Client {
	const { baseUrl, apiKey } = options;
	// JavaScript callers, or an environment variable that is not set.
	if (typeof apiKey !== "string" || apiKey.trim() === "")
		throw new TypeError(
			"createClient needs an apiKey: the value of an API key, such as process.env.PARTNERWIRE_API_KEY",
		);
	if (typeof baseUrl !== "string")
		throw new TypeError(
			"createClient needs a baseUrl: the service's address, such as process.env.PARTNERWIRE_URL",
		);
	const { timeoutMs = 30_000, retries = 3, maxRetryAfterMs = 60_000 } = options;
	const onIgnored = options.onIgnored ?? warnOfIgnored;
	checkNumber("timeoutMs", timeoutMs, 1);
	checkNumber("retries", retries, 0);
	checkNumber("maxRetryAfterMs", maxRetryAfterMs, 0);
	return createMethods(async (method, path, call, callOptions) => {
		const o = {
			...{ apiKey, fetch: options.fetch, retries, maxRetryAfterMs },
			...callOptions,
			timeoutMs: callOptions.timeoutMs ?? timeoutMs,
			onIgnored: (members: string[]) =>
				onIgnored({ route: `${method} ${path}`, members }),
		};
		checkNumber("timeoutMs", o.timeoutMs, 1);
		const url = toUrl(baseUrl, path, call.params, call.query);
		try {
			return await send(method, url, call.body, o);
		} catch (error) {
			const isMissing = error instanceof ApiError && error.status === 404;
			if (isMissing && /(^|[^/])\/v1\/*$/.test(baseUrl))
				error.message += VERSION_HINT;
			throw error;
		}
	});
}

/** Sends the call of an operation and resolves to its answer. */
export type Transport = (
	method: string,
	/** From the host root, with `{name}` for path parameters. */
	path: string,
	call: RawCall,
	options: CallOptions,
) => Promise<unknown>;

/**
 * Refuses members of a DELETE that would not be sent. Leaving out `uuids` would mean all of them, so it must be on purpose.
 */
function refuseUnset({ query = {}, body }: RawCall): void {
	const [unset] = [
		...Object.entries(query).filter(([, value]) => isUnset(value)),
		...Object.entries({ ...(body as object) }).filter(
			([, value]) => value === undefined,
		),
	];
	if (!unset) return;
	const [name, value] = unset;
	const given = Array.isArray(value) ? "empty" : String(value);
	throw new TypeError(`${name} is ${given}: set it, or leave it out`);
}

/**
 * Creates a client's methods over another transport, such as the dashboard's, which signs in with a cookie. The methods
 * check path parameters before they call it.
 */
export function createMethods(transport: Transport): Client {
	const methods = Object.entries(ROUTES).map(([id, route]) => {
		const [method, path] = route.split(" ") as [string, string];
		const run = async (call: RawCall = {}, options: CallOptions = {}) => {
			checkParams(id as OperationId, path, call.params);
			if (method === "DELETE") refuseUnset(call);
			return transport(method, path, call, options);
		};
		if (LISTS_BY_CREATION.has(id)) markByCreation(run);
		return [id, run];
	});
	return Object.fromEntries(methods) as Client;
}
