import type { Receiver } from "../receiver.ts";

/** A route handler of the App Router. */
export type NextRouteHandler = (request: Request) => Promise<Response>;

/** A handler for each method, so that also a 405 comes from the receiver. */
export type NextRouteHandlers = Record<
	"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS",
	NextRouteHandler
>;

/**
 * The route handlers of a Next.js `route.ts`.
 *
 * @example
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNext(receiver);
 */
export function toNext(receiver: Receiver): NextRouteHandlers {
	// Next.js passes its route context as a second argument, which fetch does not know.
	const handle: NextRouteHandler = (request) => receiver.fetch(request);
	return {
		GET: handle,
		HEAD: handle,
		POST: handle,
		PUT: handle,
		PATCH: handle,
		DELETE: handle,
		OPTIONS: handle,
	};
}
