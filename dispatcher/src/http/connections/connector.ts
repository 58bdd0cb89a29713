import { setMaxListeners } from "node:events";
import {
	connect as connectTcp,
	isIP,
	type LookupFunction,
	type Socket,
} from "node:net";
import {
	connect as connectTls,
	createSecureContext,
	rootCertificates,
	type SecureContext,
} from "node:tls";
import type { buildConnector } from "undici";
import type { AddressCheck } from "../guard/network-policy.ts";
import { boundReads } from "./bounded-reads.ts";
import {
	type Connection,
	ConnectorError,
	createConnection,
	type Resolve,
} from "./connection.ts";

export interface ConnectorOptions {
	readonly checkAddress: AddressCheck;
	readonly resolve: Resolve;
	/** The limit for DNS, TCP and TLS together. */
	readonly timeoutMs: number;
	readonly secureContext: SecureContext | undefined;
	/** Aborts connections that are still being opened. */
	readonly signal: AbortSignal;
	/** Only for probes. The caller must check the socket's `authorized`, and send nothing if it is false. */
	readonly acceptsAnyCertificate?: boolean;
}

/** Creates a TLS context that trusts the usual roots and these certificates (PEM). Undefined without certificates. */
export function createTrust(
	ca: string | readonly string[] | undefined,
): SecureContext | undefined {
	if (ca === undefined) return undefined;
	return createSecureContext({ ca: [...rootCertificates, ...[ca].flat()] });
}

/**
 * A lookup that gives the socket only checked addresses. The socket connects to exactly these, so DNS rebinding has no effect. Of a
 * mixed answer the allowed addresses are kept, because DNS64 networks add a NAT64 address to every name.
 */
function createCheckedLookup(
	connection: Connection,
	lap: () => number,
	{ checkAddress, resolve }: ConnectorOptions,
): LookupFunction {
	return (host, _options, callback) =>
		resolve(host, (error, addresses) => {
			connection.dnsMs = lap();
			if (error) return callback(error, []);
			const allowed = addresses.filter((entry) => !checkAddress(entry.address));
			connection.address = allowed[0]?.address ?? null;
			if (allowed.length > 0) {
				connection.stage = "connect";
				return callback(null, [...allowed]);
			}
			// Its address is not told: whoever may set a URL could map the internal network by it.
			const [first] = addresses;
			const reason = first ? checkAddress(first.address) : "no address";
			callback(
				new ConnectorError("ADDRESS_REFUSED", `the host resolves to ${reason}`),
				[],
			);
		});
}

/** Calls undici back once, with an open socket or with an error, a timeout or an abort, whichever comes first. */
function createOutcome(
	callback: buildConnector.Callback,
	{ timeoutMs, signal }: ConnectorOptions,
) {
	let socket: Socket | undefined;
	let isSettled = false;

	const settle = (answer: () => void) => {
		if (isSettled) return;
		isSettled = true;
		clearTimeout(timer);
		signal.removeEventListener("abort", onAbort);
		answer();
	};
	const fail = (error: Error) =>
		settle(() => {
			socket?.destroy();
			callback(error, null);
		});
	const onAbort = () => fail(new ConnectorError("ABORTED", "aborted"));
	const timer = setTimeout(
		() => fail(new ConnectorError("CONNECT_TIMEOUT", "took too long")),
		timeoutMs,
	);
	signal.addEventListener("abort", onAbort);

	return {
		fail,
		watch(opening: Socket) {
			socket = opening.on("error", fail);
		},
		succeed: (open: Socket) => settle(() => callback(null, open)),
	};
}

/** Measures milliseconds since the previous call, or since creation. */
function createLap(): () => number {
	let startedAt = performance.now();
	return () => {
		const before = startedAt;
		startedAt = performance.now();
		return startedAt - before;
	};
}

/**
 * Opens connections for undici (its `connect` option). undici's own connector does not check addresses, and does not distinguish DNS,
 * TCP and TLS. Each origin has its own connector, because TLS sessions are resumed.
 */
export function createConnector(
	options: ConnectorOptions,
): (connection: Connection) => buildConnector.connector {
	let session: Buffer | undefined;
	// No leak: each connection that is being opened has a listener.
	setMaxListeners(0, options.signal);

	return (connection) => (target, callback) => {
		const { hostname: host, protocol, port } = target;
		const isTls = protocol === "https:";
		const isLiteral = isIP(host) !== 0;
		Object.assign(connection, createConnection(), {
			stage: isLiteral ? "connect" : "dns",
			address: isLiteral ? host : null,
		});
		const lap = createLap();
		const outcome = createOutcome(callback, options);

		const refusal = isLiteral ? options.checkAddress(host) : null;
		if (refusal) {
			const error = new ConnectorError("ADDRESS_REFUSED", `it is ${refusal}`);
			return queueMicrotask(() => outcome.fail(error));
		}
		const tcp = {
			host,
			port: Number(port || (isTls ? 443 : 80)),
			noDelay: true,
			keepAlive: true,
			keepAliveInitialDelay: 60_000,
			autoSelectFamily: true,
			// With Node's default of 250 ms, distant addresses would fail.
			autoSelectFamilyAttemptTimeout: 1_000,
			lookup: createCheckedLookup(connection, lap, options),
		};
		const socket = isTls
			? connectTls({
					...tcp,
					// RFC 6066 §3: the name without the dot that ends it.
					...(!isLiteral && { servername: host.replace(/\.$/, "") }),
					ALPNProtocols: ["http/1.1"],
					secureContext: options.secureContext,
					rejectUnauthorized: options.acceptsAnyCertificate !== true,
					session,
				})
			: connectTcp(tcp);
		outcome.watch(socket);

		const onOpen = () => {
			connection.stage = "open";
			boundReads(socket, connection);
			// If an answer ends with its connection, undici takes a reset for a complete answer.
			socket.on("error", (fault) => {
				connection.fault = fault;
			});
			outcome.succeed(socket);
		};
		socket.once("connect", () => {
			connection.connectMs = lap();
			connection.address = socket.remoteAddress ?? connection.address;
			if (isTls) connection.stage = "tls";
			else onOpen();
		});
		if (!isTls) return;
		socket.once("secureConnect", () => {
			connection.tlsMs = lap();
			onOpen();
		});
		socket.on("session", (ticket: Buffer) => {
			session = ticket;
		});
	};
}
