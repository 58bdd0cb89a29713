import type { Integration } from "@partnerwire/contract";
import {
	EVENT_IDS,
	type EventId,
	LEAD_INTEGRATION_SETTINGS,
	parseUrl,
	payloadKeyOf,
	UNIQUE_FIELD_LEAD,
} from "@partnerwire/wire";

export const FRAMEWORKS = [
	"node",
	"express",
	"fastify",
	"hono",
	"next",
	"lambda",
] as const;
export type Framework = (typeof FRAMEWORKS)[number];

export const FRAMEWORK_LABELS: Readonly<Record<Framework, string>> = {
	node: "Node.js",
	express: "Express",
	fastify: "Fastify",
	hono: "Hono",
	next: "Next.js",
	lambda: "AWS Lambda",
};

type Settings = Pick<
	Integration,
	"event_ids" | "configuration" | "webhook_url"
>;

/** The path of the webhook URL: the receiver must be mounted there. */
const pathOf = (url: string): string => parseUrl(url)?.pathname ?? "/";

const hasUniqueKey = ({ configuration }: Settings): boolean =>
	configuration.some(
		({ id, selected }) =>
			id === LEAD_INTEGRATION_SETTINGS &&
			selected.some((value) => value.id === UNIQUE_FIELD_LEAD),
	);

/** One handler for each kind of record, so that each is typed with its record. */
function toHandlers(settings: Settings): string[] {
	const ids = settings.event_ids.length > 0 ? settings.event_ids : EVENT_IDS;
	const groups = new Map<string, EventId[]>();
	for (const id of ids) {
		const key = payloadKeyOf(id);
		groups.set(key, [...(groups.get(key) ?? []), id]);
	}
	return [...groups].map(([key, eventIds]) => {
		const names =
			eventIds.length === 1
				? JSON.stringify(eventIds[0])
				: `[\n${eventIds.map((id) => `    ${JSON.stringify(id)},`).join("\n")}\n  ]`;
		const unique = key === "lead" && hasUniqueKey(settings);
		const parameters = unique
			? `${key}, uniqueKey, eventId`
			: `${key}, eventId`;
		const logged = unique
			? `eventId, ${key}.uuid, uniqueKey?.value`
			: `eventId, ${key}.uuid`;
		return `  .on(${names}, async ({ ${parameters} }) => {\n    console.log(${logged});\n  })`;
	});
}

const toReceiver = (settings: Settings): string =>
	`const receiver = createReceiver({ secret: process.env.PARTNERWIRE_WEBHOOK_SECRET })\n${toHandlers(settings).join("\n")};`;

const IMPORT = `import { createReceiver } from "@partnerwire/receiver";`;

/** How each framework mounts the receiver: its imports, and the code after the receiver. */
const MOUNTS: Readonly<
	Record<Framework, (path: string) => { imports: string[]; end: string }>
> = {
	node: () => ({
		imports: [
			`import { createServer } from "node:http";`,
			`import { toNodeHandler } from "@partnerwire/receiver/node";`,
		],
		end: "createServer(toNodeHandler(receiver)).listen(4400);",
	}),
	express: (path) => ({
		imports: [
			`import { toExpress } from "@partnerwire/receiver/express";`,
			`import express from "express";`,
		],
		end: `const app = express();\napp.all(${path}, toExpress(receiver)); // before express.json()\napp.listen(4400);`,
	}),
	fastify: (path) => ({
		imports: [
			`import { toFastify } from "@partnerwire/receiver/fastify";`,
			`import { fastify } from "fastify";`,
		],
		end: `const app = fastify();\nawait app.register(toFastify(receiver), { prefix: ${path} });\nawait app.listen({ port: 4400 });`,
	}),
	hono: (path) => ({
		imports: [
			`import { serve } from "@hono/node-server";`,
			`import { toHono } from "@partnerwire/receiver/hono";`,
			`import { Hono } from "hono";`,
		],
		end: `const app = new Hono().all(${path}, toHono(receiver));\nserve({ fetch: app.fetch, port: 4400 });`,
	}),
	next: () => ({
		imports: [`import { toNext } from "@partnerwire/receiver/next";`],
		end: "export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNext(receiver);",
	}),
	lambda: () => ({
		imports: [`import { toLambda } from "@partnerwire/receiver/lambda";`],
		end: "export const handler = toLambda(receiver);",
	}),
};

/** The code of a receiver for this integration: its events, path and unique key. The secret comes from the environment. */
export function toReceiverCode(
	framework: Framework,
	settings: Settings,
): string {
	const path = JSON.stringify(pathOf(settings.webhook_url));
	const { imports, end } = MOUNTS[framework](path);
	return [
		[IMPORT, ...imports].join("\n"),
		"",
		toReceiver(settings),
		"",
		end,
		"",
	].join("\n");
}
