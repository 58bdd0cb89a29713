import { StatusLines } from "./status-lines.ts";

/** The state of a client's connection. The connector writes it, and the attempts that use it read it. */
export interface Connection {
	stage: "dns" | "connect" | "tls" | "open";
	address: string | null;
	/** The number of requests sent over it. */
	uses: number;
	dnsMs: number | null;
	connectMs: number | null;
	tlsMs: number | null;
	/** The number of bytes that may still be read: 0 while no request is in flight. */
	unread: number;
	/** Whether a request is in flight. */
	isAsked: boolean;
	statusLines: StatusLines;
	/** The error that ended the open connection, if any. */
	fault: Error | null;
}

/** Creates the state of a connection that is not open yet. */
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
		statusLines: new StatusLines(),
		fault: null,
	};
}

export interface ResolvedAddress {
	readonly address: string;
	readonly family: number;
}

/** Resolves a host name to its addresses. It is a parameter so that tests can change the answers. */
export type Resolve = (
	host: string,
	callback: (
		error: Error | null,
		addresses: readonly ResolvedAddress[],
	) => void,
) => void;

/** A failure of the connector's own checks, by its code. */
export class ConnectorError extends Error {
	override readonly name = "ConnectorError";
	readonly code: "ADDRESS_REFUSED" | "CONNECT_TIMEOUT" | "ABORTED";

	constructor(code: ConnectorError["code"], message: string) {
		super(message);
		this.code = code;
	}
}
