import { createServer, type Server } from "node:http";
import { createReceiver } from "@partnerwire/receiver";
import { toNodeHandler } from "@partnerwire/receiver/node";

/** A receiver that verifies correctly, but answers a copy with an error, waits for bodies without limit, and answers 202 without a jti. */
export function createConflictsOnCopies(
	secret: string,
	bodyTimeoutMs = 3_600_000,
): Server {
	const receiver = createReceiver({
		secret,
		dedup: false,
		bodyTimeoutMs,
		deadlineMs: 3_600_000,
		log: () => {},
	});
	const seen = new Set<string>();
	const handle = toNodeHandler({
		...receiver,
		async handle(incoming) {
			const verdict = await receiver.handle(incoming);
			if (verdict.status !== 200) return verdict;
			const token = incoming.header("authorization")?.split(".")[1] ?? "";
			const claims = JSON.parse(Buffer.from(token, "base64url").toString());
			if (claims.jti === undefined) return { ...verdict, status: 202 };
			const isCopy = seen.has(claims.jti);
			seen.add(claims.jti);
			return isCopy ? { ...verdict, status: 409 } : verdict;
		},
	});
	return createServer(handle);
}
