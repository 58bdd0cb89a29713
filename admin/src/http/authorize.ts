import { ApiError } from "@partnerwire/contract";
import type { Caller, Core } from "@partnerwire/core";

/** `Bearer <key>` or `Api-Key <key>`; the scheme in any letter case (docs/contract.md#authentication, RFC 9110 §11.1). */
const CREDENTIALS = /^(?:bearer|api-key)[ \t]+(\S+)$/i;

/** The caller behind a request's API key, or 401 `unauthorized`. */
export async function authorize(request: Request, core: Core): Promise<Caller> {
	const header = request.headers.get("authorization");
	const key = CREDENTIALS.exec(header?.trim() ?? "")?.[1];
	const caller = key && (await core.authenticate(key));
	if (caller) return caller;
	throw new ApiError(
		"unauthorized",
		header === null
			? "an API key is required: Authorization: Bearer <API_KEY>"
			: "the API key is not valid",
	);
}
