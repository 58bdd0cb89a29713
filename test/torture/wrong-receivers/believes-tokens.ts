import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import { buffer } from "node:stream/consumers";

/**
 * A receiver with the classic mistakes: it takes the algorithm from the token, even `none`, and checks neither times nor which claims
 * are there.
 */
export function createBelievesTokens(secret: string): Server {
	const parse = (segment: string) =>
		JSON.parse(Buffer.from(segment, "base64url").toString());

	function isVerified(token: string): boolean {
		const [header = "", payload = "", signature = ""] = token.split(".");
		try {
			const { alg } = parse(header);
			parse(payload);
			if (String(alg).toLowerCase() === "none") return true;
			const hash = { HS256: "sha256", HS384: "sha384", HS512: "sha512" }[
				alg as "HS256"
			];
			if (!hash) return false;
			const expected = createHmac(hash, secret)
				.update(`${header}.${payload}`)
				.digest("base64url");
			return signature === expected;
		} catch {
			return false;
		}
	}

	return createServer(async (request, response): Promise<void> => {
		const { authorization = "" } = request.headers;
		const token = /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? "";
		const answer = (status: number): void => {
			response.writeHead(status).end();
		};
		if (!isVerified(token)) return answer(401);
		if (request.method !== "POST") return answer(405);
		try {
			const body = JSON.parse((await buffer(request)).toString());
			answer(typeof body === "object" && body?.lead === null ? 400 : 200);
		} catch {
			answer(400);
		}
	});
}
