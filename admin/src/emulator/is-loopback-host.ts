const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Whether a host is a loopback address, which other machines cannot reach. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host);
