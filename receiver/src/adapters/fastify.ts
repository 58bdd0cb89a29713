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
 * A Fastify plugin that mounts a receiver at its prefix. It answers before Fastify parses the body, so that the token is checked
 * first and no content type, size or syntax of Fastify's own comes between.
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
			// Never reached: the hook has answered.
			handler: (_request, reply) => reply.code(404).send(),
		});
	};
}

/**
 * A Fastify route handler, for a route of your own. Fastify has parsed the body by then and answers what it cannot parse itself;
 * the receiver takes the raw body of `fastify-raw-body`, else the parsed one.
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
