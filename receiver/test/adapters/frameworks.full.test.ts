/**
 * The blocks of docs/receiver.md for big frameworks: each block is the route or the main file of an app, which the real framework builds
 * and serves. All cases of the receiver run on it, and so does what `partnerwire torture` tries.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { getRequestListener } from "@hono/node-server";
import { createReceiver, type Receiver } from "@partnerwire/receiver";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blocksOf } from "#kit/code-blocks.ts";
import { listen } from "#kit/endpoints/adapters.ts";
import {
	type Adapter,
	type Mounted,
	PARSED_FIRST,
	TRAILING_SLASH,
} from "#kit/endpoints/fetch-adapters.ts";
import { sendOverHttp } from "#kit/endpoints/shot.ts";
import { findPlatformModule } from "#kit/platforms/module-of-platforms.ts";
import { ROOT } from "#kit/sources.ts";
import { runTorture } from "../../../admin/src/torture/run-torture.ts";
import { fromRequest } from "../../src/common/incoming.ts";
import { toResponse } from "../../src/common/verdict.ts";
import { describeCases } from "../cases/describe-cases.ts";

const run = promisify(execFile);
const SECRET = "0b7a7c52-31a4-4f6d-8a11-5c1f3d2e4b60";

/** Beside the frameworks, and in the repository, so that the apps find the workspace's packages too. */
const folder = mkdtempSync(join(ROOT, "test/platforms/.apps-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The receiver of the test that runs. The apps' receiver hands its requests to this one. */
const shared = globalThis as typeof globalThis & { underTest?: Receiver };
const RECEIVER = `export const receiver = {
	fetch: (request) => globalThis.underTest.fetch(request),
	handle: (incoming) => globalThis.underTest.handle(incoming),
};
`;

/** The block of docs/receiver.md for a framework, by a line of it. */
function blockWith(line: string): string {
	const block = blocksOf("docs/receiver.md").find(
		({ language, code }) => language === "ts" && code.includes(line),
	);
	return block?.code ?? "";
}

/** Writes the files of an app. Returns its folder. */
function writeApp(name: string, files: Readonly<Record<string, string>>) {
	for (const [path, code] of Object.entries(files)) {
		const file = join(folder, name, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, code);
	}
	return join(folder, name);
}

const BUILD_VARIABLES = {
	NODE_ENV: "production",
	ASTRO_TELEMETRY_DISABLED: "1",
};

/** Runs a build command of `test/platforms` in an app. */
const build = (app: string, bin: string, ...args: string[]) =>
	run(process.execPath, [findPlatformModule(bin), ...args], {
		cwd: app,
		env: { ...process.env, ...BUILD_VARIABLES },
	});

const load = (file: string) => import(/* @vite-ignore */ file);

interface Framework extends Partial<Adapter> {
	readonly name: string;
	/** The checks of torture that it answers itself. */
	readonly missed?: readonly string[];
	/** Builds the app, once. Resolves to what starts its server. */
	prepare(): Promise<() => Promise<Mounted>>;
}

/** An app's module in JavaScript, with or without a controller for the receiver. */
const toNestModule = (hasController: boolean) =>
	`import { All, Controller, Logger, Module, Req, Res } from "@nestjs/common";
import { toExpress } from "@partnerwire/receiver/express";
import { receiver } from "./receiver.js";
Logger.overrideLogger(false);
class Hook {
	answer(req, res) {
		return toExpress(receiver)(req, res);
	}
}
const { prototype } = Hook;
Controller("hook")(Hook);
All()(prototype, "answer", Object.getOwnPropertyDescriptor(prototype, "answer"));
Req()(prototype, "answer", 0);
Res()(prototype, "answer", 1);
export class AppModule {}
Module({ controllers: [${hasController ? "Hook" : ""}] })(AppModule);
`;

const nest = (
	name: string,
	main: string,
	hasController = false,
): Framework => ({
	name,
	async prepare() {
		const app = writeApp(name, {
			"receiver.js": RECEIVER,
			"app.module.js": toNestModule(hasController),
			"main.js": main,
		});
		process.env.PORT = "0";
		let started = 0;
		return async () => {
			const { app: nestApp } = await load(
				join(app, `main.js?start=${++started}`),
			);
			const server: Server = nestApp.getHttpServer();
			const { port } = server.address() as AddressInfo;
			return {
				port,
				send: (shot) => sendOverHttp(port, shot),
				async close() {
					server.closeAllConnections();
					await nestApp.close();
				},
			};
		};
	},
});

const serveListener = (listener: RequestListener) =>
	listen(createServer(listener));

const NEST = blockWith("NestFactory");

/** They refuse content types of forms, and know only the first of two Authorization headers (docs/receiver.md#astro). */
const GUARDED = ["A22", "A23", "B05"];
const FORGED_FORM = ["body/forged-not-json"];

const FRAMEWORKS: readonly Framework[] = [
	nest("nest", NEST),
	{
		...nest(
			"nest controller",
			NEST.replace("(AppModule)", "(AppModule, { rawBody: true })").replace(
				/app\.use\(.*/,
				'app.useBodyParser("json", { limit: "2mb" });',
			),
			true,
		),
		streams: false,
		leavesOut: PARSED_FIRST,
	},
	nest(
		"nest on fastify",
		NEST.replace(
			'import { toExpress } from "@partnerwire/receiver/express"',
			'import { FastifyAdapter } from "@nestjs/platform-fastify";\nimport { toFastify } from "@partnerwire/receiver/fastify"',
		)
			.replace("create(AppModule)", "create(AppModule, new FastifyAdapter())")
			.replace(
				'app.use("/hook", toExpress(receiver))',
				'await app.register(toFastify(receiver), { prefix: "/hook" })',
			),
	),
	{
		name: "sveltekit",
		// Its Node server closes the connection of a body that is given up.
		leavesOut: [...GUARDED, "A12", "A14", TRAILING_SLASH],
		missed: FORGED_FORM,
		async prepare() {
			const app = writeApp("sveltekit", {
				"package.json": '{"type":"module"}',
				"svelte.config.js": `import adapter from "@sveltejs/adapter-node";
export default { kit: { adapter: adapter() } };
`,
				"vite.config.js": `import { sveltekit } from "@sveltejs/kit/vite";
export default { plugins: [sveltekit()] };
`,
				"src/app.html": "%sveltekit.head%%sveltekit.body%",
				"src/routes/hook/receiver.js": RECEIVER,
				"src/routes/hook/+server.ts": blockWith("@sveltejs/kit"),
			});
			await build(app, "vite/bin/vite.js", "build");
			const { handler } = await load(join(app, "build/handler.js"));
			return () => serveListener(handler);
		},
	},
	{
		name: "astro",
		// It refuses a body without a content type, too.
		leavesOut: [...GUARDED, "G14"],
		missed: FORGED_FORM,
		async prepare() {
			const app = writeApp("astro", {
				"package.json": '{"type":"module"}',
				"astro.config.mjs": `import node from "@astrojs/node";
export default { adapter: node({ mode: "middleware" }) };
`,
				"src/receiver.js": RECEIVER,
				"src/pages/hook.ts": blockWith("APIRoute"),
			});
			await build(app, "astro/astro.js", "build");
			const { handler } = await load(join(app, "dist/server/entry.mjs"));
			return () => serveListener(handler);
		},
	},
	{
		name: "react router",
		async prepare() {
			const app = writeApp("react-router", {
				"app/receiver.js": RECEIVER,
				"app/routes/hook.ts": blockWith("react-router"),
			});
			const { createRequestHandler } = await load(
				findPlatformModule("react-router/dist/production/index.mjs"),
			);
			// What its Vite plugin makes of the route.
			const handler = createRequestHandler({
				entry: { module: { default: () => new Response() } },
				routes: {
					hook: {
						id: "hook",
						path: "hook",
						module: await load(join(app, "app/routes/hook.ts")),
					},
				},
				assets: { routes: {}, entry: {}, url: "", version: "1" },
				future: {},
				ssr: true,
				isSpaMode: false,
				prerender: [],
				routeDiscovery: { mode: "initial" },
				publicPath: "/",
				assetsBuildDirectory: "",
			});
			return () => serveListener(getRequestListener(handler));
		},
	},
];

const starts = new Map<Framework, () => Promise<Mounted>>();
const start = (framework: Framework, receiver: Receiver) => {
	shared.underTest = receiver;
	return starts.get(framework)?.() as Promise<Mounted>;
};

beforeAll(async () => {
	for (const framework of FRAMEWORKS)
		starts.set(framework, await framework.prepare());
}, 300_000);

describeCases(
	FRAMEWORKS.map((framework): Adapter => {
		return {
			...{ streams: true, socket: true, ...framework },
			open: (receiver) =>
				start(framework, {
					...receiver,
					// As `receiver.fetch` does it, by the `handle` that the cases watch.
					fetch: async (request) =>
						toResponse(
							await receiver.handle(fromRequest(request)),
							request.method,
						),
				}),
		};
	}),
);

test.each(FRAMEWORKS.filter(({ leavesOut }) => leavesOut !== PARSED_FIRST))(
	"$name passes what torture tries",
	async (framework) => {
		const receiver = createReceiver({
			...{ secret: SECRET, bodyTimeoutMs: 400, log() {} },
		}).on("*", () => {});
		const { port, close } = await start(framework, receiver);
		const url = new URL(`http://127.0.0.1:${port}/hook`);
		const results = await runTorture({ url, secret: SECRET });
		await close();
		const missed = results.filter(({ passed }) => !passed);
		expect(missed.map(({ check }) => check)).toEqual(framework.missed ?? []);
	},
);
