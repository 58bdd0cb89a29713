import type { H3Event } from "h3";

/** A page of the dashboard may load its own files and call its own API; nothing inline. */
const CONTENT_SECURITY_POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"font-src 'self'",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join("; ");

const HEADERS = {
	"content-security-policy": CONTENT_SECURITY_POLICY,
	"x-content-type-options": "nosniff",
	"x-frame-options": "DENY",
	"referrer-policy": "no-referrer",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"permissions-policy": "camera=(), geolocation=(), microphone=()",
};

/** Sets the security headers of every answer of the dashboard, refusals too. */
export function setSecurityHeaders({ res }: H3Event): void {
	for (const [name, value] of Object.entries(HEADERS))
		res.headers.set(name, value);
}
