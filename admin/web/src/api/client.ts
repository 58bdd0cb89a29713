import { createMethods, toUrl } from "@partnerwire/sdk";
import { send } from "./transport.ts";

/** The SDK's client over the session's mount: one method per operation, by its operationId. */
export const api = createMethods((method, path, { params, query, body }) =>
	send(method, toUrl("/_admin", path, params, query), body),
);
