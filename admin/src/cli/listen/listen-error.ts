import { CommandError } from "../usage-error.ts";

/** Turns the error of an address or port that cannot be used into one sentence. Any other error stays as it is. */
export function toListenError(
	error: unknown,
	{ host, port }: { host: string; port: number },
): unknown {
	const code = (error as { code?: unknown }).code;
	if (code === "EADDRINUSE")
		return new CommandError(
			`port ${port} of ${host} is in use; choose another with --port`,
		);
	if (code === "EACCES")
		return new CommandError(
			`port ${port} needs more rights than this user has`,
		);
	if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
		return new CommandError(`${host} is not an address of this machine`);
	}
	return error;
}
