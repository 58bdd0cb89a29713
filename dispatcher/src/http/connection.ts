/** What is known about a client's connection: written by the connector, read by the attempts that use it. */
export interface Connection {
	stage: "dns" | "connect" | "tls" | "open";
	address: string | null;
	/** Requests sent over it; more than one means that the connection was reused. */
	uses: number;
	dnsMs: number | null;
	connectMs: number | null;
	tlsMs: number | null;
	/** Bytes that may still be read of it: an answer's, and none while no request is under way. */
	unread: number;
	/** Whether a request is under way. */
	isAsked: boolean;
	/** What ended it once it was open, if it did not end by itself. */
	fault: Error | null;
}

/** A connection that has not been opened yet. */
export function createConnection(): Connection {
	return {
		stage: "dns",
		address: null,
		uses: 0,
		dnsMs: null,
		connectMs: null,
		tlsMs: null,
		unread: 0,
		isAsked: false,
		fault: null,
	};
}

export interface ResolvedAddress {
	readonly address: string;
	readonly family: number;
}

/** Resolves a host name to its addresses; a parameter so that tests can make DNS flip. */
export type Resolve = (
	host: string,
	callback: (
		error: Error | null,
		addresses: readonly ResolvedAddress[],
	) => void,
) => void;

/** A failure found while connecting that is not the system's; its code tells which. */
export class ConnectorError extends Error {
	override readonly name = "ConnectorError";
	readonly code: "ADDRESS_REFUSED" | "CONNECT_TIMEOUT" | "ABORTED";

	constructor(code: ConnectorError["code"], message: string) {
		super(message);
		this.code = code;
	}
}
