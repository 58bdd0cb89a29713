import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { H3, type H3Event, toNodeHandler } from "h3";
import * as z from "zod";
import { serveCalls } from "../kit/child.ts";
import { openBaselineDatabase } from "./api-baseline-database.ts";
import type { Lead, Partnership } from "./api-baseline-lead.ts";

/*
 * The best straightforward program for creating and reading a lead: h3, zod and prepared better-sqlite3 statements, one transaction
 * for each request. It does the same work as our service for these requests, and serves no others.
 */

const text = (max: number) => z.string().max(max).optional();
const Body = z.object({
	partnership_uuid: z.string(),
	company_name: text(255),
	email: text(320),
	first_name: text(255),
	last_name: text(255),
});

const refuse = (status: number) => new Response("{}", { status });
const hash = (key: string) => createHash("sha256").update(key).digest("hex");

const calls = {
	async open(options: { folder: string; partnership: Partnership }) {
		const key = randomBytes(32).toString("hex");
		const db = openBaselineDatabase(
			options.folder,
			hash(key),
			options.partnership,
		);

		const authorize = (event: H3Event) => {
			const header = event.req.headers.get("authorization") ?? "";
			const sent = /^Bearer (.+)$/.exec(header)?.[1];
			return sent === undefined ? undefined : db.findCaller(hash(sent));
		};

		const app = new H3()
			.post("/v1/leads", async (event) => {
				const caller = authorize(event);
				if (!caller?.write) return refuse(401);
				const body = Body.safeParse(JSON.parse(await event.req.text()));
				if (!body.success) return refuse(400);
				const { partnership_uuid, ...fields } = body.data;
				const partnership = db.findPartnership(partnership_uuid, caller);
				if (!partnership) return refuse(400);
				event.res.status = 201;
				return db.createLead(fields, partnership, caller);
			})
			.get("/v1/leads/:uuid", (event): Lead | Response => {
				const caller = authorize(event);
				if (!caller) return refuse(401);
				const uuid = event.context.params?.uuid ?? "";
				return db.findLead(uuid, caller) ?? refuse(404);
			});

		const server = createServer(toNodeHandler(app));
		await new Promise<void>((resolve) =>
			server.listen(0, "127.0.0.1", resolve),
		);
		const { port } = server.address() as AddressInfo;
		return {
			url: `http://127.0.0.1:${port}`,
			key,
			partnershipUuid: options.partnership.uuid,
		};
	},
};
export type Calls = typeof calls;

serveCalls(calls);
