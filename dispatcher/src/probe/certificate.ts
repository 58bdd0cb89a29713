import type { PeerCertificate, TLSSocket } from "node:tls";

const DAY_MS = 24 * 3_600_000;
/** A certificate that expires sooner than this gets a warning. */
const SOON_DAYS = 14;
/** The limit for names in a certificate, because the other side chooses them. */
const MOST_CHARACTERS = 100;

/** The facts about a server's certificate. */
export interface ProbedCertificate {
	readonly expires_at: string;
	readonly issuer: string;
	readonly days_left: number;
}

/** Reads the certificate that a server showed, trusted or not. Null if there is none that can be read. */
export function readCertificate(
	socket: TLSSocket,
	nowMs: number,
): ProbedCertificate | null {
	const shown = socket.getPeerCertificate() as Partial<PeerCertificate>;
	const expiresAt = Date.parse(shown.valid_to ?? "");
	if (Number.isNaN(expiresAt)) return null;
	const { O, CN } = shown.issuer ?? {};
	return {
		expires_at: new Date(expiresAt).toISOString(),
		issuer: toName(O ?? CN),
		days_left: Math.floor((expiresAt - nowMs) / DAY_MS),
	};
}

const toName = (name: string | string[] | undefined): string =>
	[name ?? "unknown"].flat().join(", ").slice(0, MOST_CHARACTERS);

const dayOf = ({ expires_at }: ProbedCertificate) => expires_at.slice(0, 10);

export interface TlsProblem {
	readonly message: string;
	readonly advice: string;
}

const UNKNOWN_AUTHORITY: TlsProblem = {
	message: "the certificate's authority is not known",
	advice:
		"Install a certificate of a public authority together with its intermediate certificates, or give its authority with --ca.",
};

const NO_TLS: TlsProblem = {
	message: "the server does not speak TLS on this port",
	advice: "Correct the port: this one answers plain HTTP or something else.",
};

/** OpenSSL's and Node's codes, explained for people. */
const PROBLEMS: Readonly<Record<string, TlsProblem>> = {
	DEPTH_ZERO_SELF_SIGNED_CERT: {
		message: "the certificate is self-signed",
		advice:
			"Install a certificate of a public authority, or give this one with --ca.",
	},
	SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
	UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
	CERT_NOT_YET_VALID: {
		message: "the certificate is not valid yet",
		advice: "Check the clocks of both machines, and the certificate's dates.",
	},
	ERR_TLS_CERT_ALTNAME_INVALID: {
		message: "the certificate is for another host name",
		advice:
			"Install a certificate for this host name, or correct the host name of the URL.",
	},
	ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
	ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
};

/** Explains why a connection is not trusted, by the code of the check that failed. */
export function toTlsProblem(
	code: string,
	certificate: ProbedCertificate | null,
): TlsProblem {
	if (code === "CERT_HAS_EXPIRED")
		return {
			message:
				certificate && certificate.days_left < 0
					? `the certificate expired on ${dayOf(certificate)}`
					: "a certificate of the chain has expired",
			advice: "Renew the certificate, and see to it that it is renewed again.",
		};
	return (
		PROBLEMS[code] ?? {
			message: `the TLS connection failed${code === "" ? "" : ` (${code})`}`,
			advice:
				"Install a valid certificate with its whole chain for that host name, or give its authority with --ca.",
		}
	);
}

/** Describes a trusted certificate. */
export function describeCertificate(certificate: ProbedCertificate | null): {
	message: string;
	advice: string | null;
} {
	if (!certificate) return { message: "TLS is set up", advice: null };
	const { days_left } = certificate;
	return {
		message: `the certificate is valid until ${dayOf(certificate)}`,
		advice:
			days_left < SOON_DAYS
				? `Renew the certificate: it expires in ${days_left} days.`
				: null,
	};
}
