/* The package `@partnerwire/sdk`: a typed client for every operation. */

export { ApiError } from "@partnerwire/contract/api-error";
export {
	type CallArguments,
	type CallOptions,
	type Client,
	type ClientOptions,
	createClient,
	createMethods,
	type Ignored,
	type Transport,
} from "./create-client.ts";
export { items, pages } from "./pages.ts";
export { readAnswer } from "./read-answer.ts";
export { toUrl } from "./to-url.ts";
