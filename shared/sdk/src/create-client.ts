import {
	type ArgumentsOf,
	OPERATION_IDS,
	type OperationId,
	operations,
	type ResponseOf,
} from "@partnerwire/contract";
import { toError } from "./to-error.ts";
import { toUrl } from "./to-url.ts";

export interface ClientOptions {
	/** The service's root, without `/v1`: `http://127.0.0.1:3000`. */
	readonly baseUrl: string;
	/** The value of an API key; it is sent as a bearer token and shown nowhere. */
	readonly apiKey: string;
	readonly fetch?: typeof fetch;
}

type Nothing = Record<never, never>;
type Part<Name extends string, Value> = undefined extends Value
	? { readonly [Key in Name]?: Value }
	: Nothing extends Value
		? { readonly [Key in Name]?: Value }
		: { readonly [Key in Name]: Value };

/** What a method takes: `params` and `body` only where the operation has any. */
export type CallArguments<Id extends OperationId> = Part<
	"params",
	ArgumentsOf<Id>["params"]
> &
	Part<"query", ArgumentsOf<Id>["query"]> &
	Part<"body", ArgumentsOf<Id>["body"]>;

type Method<Id extends OperationId> =
	object extends CallArguments<Id>
		? (call?: CallArguments<Id>) => Promise<ResponseOf<Id>>
		: (call: CallArguments<Id>) => Promise<ResponseOf<Id>>;

/** One method per operation of the table, by its operationId. */
export type Client = { readonly [Id in OperationId]: Method<Id> };

/** A call as the HTTP request is made from it. */
export interface RawCall {
	readonly params?: Readonly<Record<string, string>>;
	readonly query?: Readonly<Record<string, unknown>>;
	readonly body?: unknown;
}

/**
 * Creates a client of a Partnerwire service. Methods throw an `ApiError` whose `code` says what went wrong.
 *
 * @example
 * const client = createClient({ baseUrl: "http://127.0.0.1:3000", apiKey });
 * const lead = await client.createLead({ body: { partnership_uuid, company_name: "Globex" } });
 */
export function createClient(options: ClientOptions): Client {
	const o = { fetch: globalThis.fetch, ...options };

	const call = async (
		id: OperationId,
		{ params, query, body }: RawCall = {},
	): Promise<unknown> => {
		const { method, path } = operations[id];
		const response = await o.fetch(toUrl(o.baseUrl, path, params, query), {
			method,
			headers: {
				authorization: `Bearer ${o.apiKey}`,
				...(body !== undefined && { "content-type": "application/json" }),
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		if (!response.ok) throw await toError(response);
		return response.json();
	};

	return Object.fromEntries(
		OPERATION_IDS.map((id) => [id, (given?: RawCall) => call(id, given)]),
	) as unknown as Client;
}
