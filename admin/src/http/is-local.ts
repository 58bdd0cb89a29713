import type { H3Event } from "h3";

const LOOPBACK = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/;
const LOCAL_NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
const FORWARDED = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

/**
 * Whether a request comes from this machine itself, by a local host name. Requests through a proxy do not count, nor those
 * of a page whose host name was pointed to the loopback address (DNS rebinding).
 */
export const isLocal = ({ req }: H3Event): boolean =>
	LOOPBACK.test(req.ip ?? "") &&
	LOCAL_NAME.test(req.headers.get("host") ?? "") &&
	!FORWARDED.some((name) => req.headers.has(name));
