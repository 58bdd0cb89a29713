import type {
	FastifyPluginAsync,
	FastifyReply,
	FastifyRequest,
	HTTPMethods,
} from "fastify";
import type { Verdict } from "../common/verdict.ts";
import type { Receiver } from "../receiver.ts";
import { fromMessage, type ParsedRequest } from "./node-message.ts";

const METHODS: HTTPMethods[] = [
	"GET",
	"HEAD",
	"POST",
	"PUT",
	"PATCH",
	"DELETE",
	"OPTIONS",
];

const send = (reply: FastifyReply, verdict: Verdict): FastifyReply =>
	reply.code(verdict.status).headers(verdict.headers).send(verdict.body);

/**
 * A Fastify plugin that mounts a receiver at its prefix. It answers before Fastify parses the body. So the token is checked first, and
 * Fastify's own checks of content type, size and syntax do not apply.
 *
 * @example
 * await app.register(toFastify(receiver), { prefix: "/hook" });
 */
export function toFastify(receiver: Receiver): FastifyPluginAsync {
	return async (app) => {
		app.addHook("onRequest", async (request, reply) =>
			send(reply, await receiver.handle(fromMessage(request.raw))),
		);
		app.route({
			method: METHODS,
			url: "/",
			// Never called: the hook has answered.
			handler: (_request, reply) => reply.code(404).send(),
		});
	};
}

/**
 * A Fastify route handler, for a route of your own. Fastify parses the body first, and refuses bodies that it cannot parse. The
 * receiver uses the raw body of `fastify-raw-body`, or else the parsed one.
 *
 * @example
 * app.post("/hook", toFastifyHandler(receiver));
 */
export function toFastifyHandler(
	receiver: Receiver,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
	return async (request, reply) => {
		const incoming = fromMessage(request.raw, request as ParsedRequest);
		return send(reply, await receiver.handle(incoming));
	};
}
