export { ApiError } from "@partnerwire/contract";
export {
	type Client,
	type ClientOptions,
	createClient,
} from "./create-client.ts";
