import type { IncomingMessage, ServerResponse } from "node:http";
import type { Verdict } from "../common/verdict.ts";
import type { Receiver } from "../receiver.ts";
import { hmac } from "../verify/crypto-node.ts";
import { isPromise } from "../verify/platform-crypto.ts";
import {
	createVerifier,
	type VerifyOptions,
	type VerifyResult,
} from "../verify/verify.ts";
import { fromMessage } from "./node-message.ts";

/** Writes a verdict to a Node response. */
export function writeVerdict(
	verdict: Verdict,
	res: ServerResponse,
	method: string | undefined,
): void {
	// The program may have answered, for example by its own time limit. A second head would throw and end the process.
	if (res.headersSent) return;
	const hasBody = verdict.body !== "";
	res.writeHead(verdict.status, {
		...verdict.headers,
		...(hasBody ? { "content-length": Buffer.byteLength(verdict.body) } : {}),
	});
	res.end(method === "HEAD" || !hasBody ? undefined : verdict.body);
}

/**
 * Mounts a receiver on `node:http`, or on anything with its request and response.
 *
 * @example
 * createServer(toNodeHandler(receiver)).listen(4400);
 */
export function toNodeHandler(
	receiver: Receiver,
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
	return async (req, res) => {
		const verdict = await receiver.handle(fromMessage(req));
		writeVerdict(verdict, res, req.method);
	};
}

/**
 * `verify` without a promise, for callers that cannot wait. It exists only on Node, where the cryptography is synchronous.
 *
 * @throws TypeError for a secret lookup, which may have to wait
 */
export function verifySync(
	token: string,
	options: VerifyOptions & { secret: string | readonly string[] | undefined },
): VerifyResult {
	const result = createVerifier(options, hmac)(token);
	if (isPromise(result))
		throw new TypeError("verifySync takes secrets, not a lookup.");
	return result;
}
