import type { H3Event } from "h3";

const LOOPBACK = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/;
const LOCAL_NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
const FORWARDED = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

/**
 * From this machine itself, by a name of it: neither passed on by a proxy, nor by a page whose host name was turned to the
 * loopback address.
 */
export const isLocal = ({ req }: H3Event): boolean =>
	LOOPBACK.test(req.ip ?? "") &&
	LOCAL_NAME.test(req.headers.get("host") ?? "") &&
	!FORWARDED.some((name) => req.headers.has(name));
