/* CORS: lets pages of named origins call the API from a browser (docs/security.md#pages-of-your-own). */
import {
	appendCorsHeaders,
	appendCorsPreflightHeaders,
	type CorsOptions,
	type H3Event,
	isPreflightRequest,
	noContent,
} from "h3";

/** Where API keys count. The dashboard's API, which knows a cookie, is for its own pages alone. */
const OPEN = /^\/(?:v1|api\/v1|mcp)(?:\/|$)/;

const isOpen = ({ url }: H3Event) => OPEN.test(url.pathname);

/** Creates the CORS of an app. Browsers send no cookies along: credentials are never allowed. */
export function createCors(origins: readonly string[]) {
	const options = {
		origin: [...origins],
		methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
		allowHeaders: "*",
		exposeHeaders: "*",
		credentials: false,
		maxAge: "600",
	} as const satisfies CorsOptions;
	return {
		/** Sets the headers before anything else runs, so that refusals have them too. */
		setHeaders(event: H3Event): void {
			if (!isOpen(event)) return;
			if (isPreflightRequest(event)) appendCorsPreflightHeaders(event, options);
			else appendCorsHeaders(event, options);
		},
		/** Answers preflight requests, which carry no key. Leaves all others to the routes. */
		answerPreflight: (event: H3Event) =>
			isOpen(event) && isPreflightRequest(event) ? noContent() : undefined,
	};
}
