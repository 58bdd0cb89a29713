/* `@partnerwire/receiver/azure`: Azure Functions, programming model v4. */
import { fromRequest } from "../common/incoming.ts";
import type { Receiver } from "../receiver.ts";

/** The part of an `HttpRequest` that the receiver needs. */
export interface AzureRequestLike {
	method: string;
	headers: { get(name: string): string | null };
	/** A web stream. Its type is Node's, which is not the DOM's. */
	body: object | null;
	bodyUsed: boolean;
}

/** The answer, as an `HttpResponseInit`. */
export interface AzureResponse {
	status: number;
	headers: Record<string, string>;
	body: string | undefined;
}

/**
 * An HTTP handler of Azure Functions (programming model v4). The host parses nothing: the body is the bytes that were sent.
 *
 * @example
 * app.http("hook", { methods: ["HEAD", "POST"], handler: toAzure(receiver) });
 */
export function toAzure(
	receiver: Receiver,
): (request: AzureRequestLike) => Promise<AzureResponse> {
	return async (request) => {
		// It hands out these members of a web request. The receiver reads no others.
		const incoming = fromRequest(request as Request);
		const { status, headers, body } = await receiver.handle(incoming);
		const isBodiless = body === "" || request.method === "HEAD";
		return {
			status,
			headers: { ...headers },
			body: isBodiless ? undefined : body,
		};
	};
}
