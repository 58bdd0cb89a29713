import { createMethods, toUrl } from "@partnerwire/sdk";
import { send } from "./transport.ts";

/** The SDK's client below `/_admin`, with the session's cookie: one method per operation, by its operationId. */
export const api = createMethods((method, path, { params, query, body }) =>
	send(method, toUrl("/_admin", path, params, query), body),
);
