/* A program as a user writes it, with a handler that fails and no option but the secret. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "../../src/adapters/node.ts";
import { createReceiver } from "../../src/receiver.ts";

const secret = process.env.PARTNERWIRE_WEBHOOK_SECRET;
const receiver = createReceiver({ secret }).on("lead_created", async () => {
	throw new Error("the CRM is down");
});
const server = createServer(toNodeHandler(receiver)).listen(0, "127.0.0.1");
server.once("listening", () =>
	process.send?.((server.address() as AddressInfo).port),
);
