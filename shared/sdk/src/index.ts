export { ApiError } from "@partnerwire/contract";
export {
	type Client,
	type ClientOptions,
	createClient,
	type RawCall,
} from "./create-client.ts";
export { toUrl } from "./to-url.ts";
