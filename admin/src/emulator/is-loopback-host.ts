const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Whether a host is this machine's own, which no other one reaches. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host);
