import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { verifySync } from "@partnerwire/receiver/node";

/**
 * A receiver that verifies correctly, but only after it has read and parsed the whole body of any sender, of any size. Unexpected
 * input becomes a 500.
 */
export function createParsesFirst(secret: string): Server {
	return createServer(async (request, response): Promise<void> => {
		const answer = (status: number): void => {
			response.writeHead(status).end();
		};
		try {
			const body = JSON.parse(await text(request));
			const { authorization = "" } = request.headers;
			const [, token = ""] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
			if (!verifySync(token, { secret }).ok) return answer(401);
			if (request.method !== "POST") return answer(405);
			const [entity] = Object.values(body) as [{ uuid: string }];
			answer(entity.uuid ? 200 : 400);
		} catch {
			answer(500);
		}
	});
}
