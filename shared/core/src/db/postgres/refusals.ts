import { StorageError } from "../storage-error.ts";
import { postgresCodeOf, toPostgresFault } from "./faults.ts";

const REFUSALS: Readonly<Record<string, string>> = {
	"25006": "is a standby, which takes no writes",
	"28P01": "refuses the password",
	"28000": "refuses the user",
	"3F000": "has no schema of those in search_path: create one",
	"3D000": "has no database of that name",
	"42501": "does not let this user create what Partnerwire needs",
	"42P07": "holds tables of another program",
};

const NO_TLS = "The server does not support SSL connections";
/** The codes by which Node refuses a server's certificate. */
const CERTIFICATE = /CERT|^ERR_TLS|^UNABLE_TO_|SIGNATURE/;

function findRefusal(error: unknown, code: string): string | undefined {
	if (error instanceof Error && error.message === NO_TLS)
		return "takes no TLS: give sslmode=disable or prefer";
	return CERTIFICATE.test(code)
		? `has a certificate that is not trusted (${code}): give its authority as sslrootcert`
		: REFUSALS[code];
}

/** The error for a server that could not be used, in one sentence. `where` is the database without its credentials. */
export function toOpenError(where: string, error: unknown): unknown {
	if (error instanceof StorageError) return error;
	// The driver decodes the user and the password, and does not say which one failed.
	if (error instanceof URIError)
		return new StorageError(
			"database_unreadable",
			"The database's URL has a user or a password with broken percent-encoding.",
		);
	const code = postgresCodeOf(error);
	const refusal = findRefusal(error, code ?? "");
	if (refusal)
		return new StorageError(
			"database_unreadable",
			`The server of ${where} ${refusal}.`,
			error,
		);
	if (toPostgresFault(error))
		return new StorageError(
			"database_unreadable",
			`The server of ${where} cannot be reached (${code}).`,
			error,
		);
	return error;
}
