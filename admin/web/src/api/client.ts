import routes from "virtual:operation-routes";
import { type Client, type RawCall, toUrl } from "@partnerwire/sdk";
import { send } from "./transport.ts";

/** The SDK's client over the session's mount: one method per operation, by its operationId. */
export const api = Object.fromEntries(
	Object.entries(routes).map(([id, [method, path]]) => [
		id,
		({ params, query, body }: RawCall = {}) =>
			send(method, toUrl("/_admin", path, params, query), body),
	]),
) as unknown as Client;
