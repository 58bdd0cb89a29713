import { createMetrics } from "partnerwire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { type SignedIn, signIn } from "#kit/program/dashboard.ts";
import { sendRaw } from "../support/raw-http.ts";
import { countRows } from "../support/row-counts.ts";
import {
	bodyIn,
	createTableWorld,
	paramsIn,
	type Row,
	rows,
	type TableWorld,
} from "../support/table-world.ts";

let api: Api;
let world: TableWorld;
let browser: SignedIn;
beforeAll(async () => {
	api = await openApi({ dashboard: {}, metrics: createMetrics() });
	world = await createTableWorld(api, api.seeded.keys.full);
	browser = await signIn(api, api.seeded.keys.full);
});
afterAll(() => api.close());

/** Texts in place of an id that could make a proxy or a URL parser see another path than this service. */
const inPlaceOf = (id: string): string[] => [
	...["..", ".", "%2e%2e", "%2E%2e", ".%2e", "%2e.", "%2e", "%252e%252e"],
	...["..;", "..;x=1", ";", "%3b", "..%00", "%00", "..%23", "#", "..#"],
	...["..%2f..", "..%2F", "%2f", "%252f", "..%5c..", "..\\..", "\\", "%5c"],
	...[`${id}/..`, `${id}/.`, `../${id}`, `./${id}`, `${id}/%2e%2e`],
	...[`${id}/../..`, `${id}\\..`, `${id};`, `${id};a=b`, `${id}%00`, `${id}#`],
	...[`/${id}`, `${id}//..`, `${id}%2f..`, `${id}%20`, `${id}%`, "%zz", "%"],
	// Overlong forms of a dot, and dots that are none in ASCII.
	...["%c0%ae%c0%ae", "%ef%bc%8e%ef%bc%8e", "%u002e%u002e", "...", "%30"],
];

/** Every target that an operation's own becomes when one of its ids is spelled in an odd way. */
function oddTargets(row: Row): string[] {
	const params = Object.entries(paramsIn(world, row));
	const fill = (odd: string, spelling: string) =>
		params.reduce(
			(path, [name, id]) =>
				path.replace(`{${name}}`, () => (name === odd ? spelling : id)),
			row.path as string,
		);
	return params.flatMap(([name, id], at) => [
		...inPlaceOf(id).map((spelling) => fill(name, spelling)),
		// An empty id at the end is the path of the collection, where reading is no harm.
		...(row.method === "GET" && at === params.length - 1
			? []
			: [fill(name, "")]),
	]);
}

interface Raw {
	method?: string;
	target: string;
	headers?: Record<string, string>;
	body?: object | undefined;
}

/** Sends requests one behind the other on one connection, their targets as they stand here. */
async function sendAll(requests: Raw[]): Promise<string[]> {
	const received = await sendRaw(api.url, (send) =>
		requests.forEach(({ method = "GET", target, headers, body }, at) => {
			const text = body ? JSON.stringify(body) : "";
			const head = {
				host: new URL(api.url).host,
				...(text && { "content-type": "application/json" }),
				"content-length": String(Buffer.byteLength(text)),
				...(at === requests.length - 1 && { connection: "close" }),
				...headers,
			};
			const lines = Object.entries(head).map(([name, is]) => `${name}: ${is}`);
			send([`${method} ${target} HTTP/1.1`, ...lines, "", text].join("\r\n"));
		}),
	);
	return received.split(/(?=HTTP\/1\.1 \d{3} )/);
}

const statusOf = (answer: string) => Number(answer.slice(9, 12));
const withKey = (key: string) => ({ authorization: `Bearer ${key}` });

/** Each answer is one of these statuses, in the error envelope, and no row was written. */
async function expectRefused(requests: Raw[], statuses: number[]) {
	const before = await countRows(api);
	const answers = await sendAll(requests);
	expect(answers).toHaveLength(requests.length);
	const others = answers
		.map((answer, at) => ({ answer, target: requests[at]?.target }))
		.filter(
			({ answer }) =>
				!statuses.includes(statusOf(answer)) ||
				!/"code":"(validation_error|not_found|unauthorized)"/.test(answer),
		);
	expect(others).toEqual([]);
	expect(await countRows(api)).toEqual(before);
}

test("a refused path is answered with what a path may be", async () => {
	for (const target of ["/v1/leads/%2e%2e", "/docs/..", "/v1//leads"]) {
		const [answer = ""] = await sendAll([
			{ target, headers: withKey(api.seeded.keys.full) },
		]);
		expect(answer).toContain("path: must be segments of letters");
	}
});

const withParams = rows.filter(({ path }) => path.includes("{"));

describe("an id that is spelled oddly never makes one operation into another", () => {
	test.each(withParams)("$method $path", async (row) => {
		const { method } = row;
		const body = bodyIn(world, row);
		const targets = oddTargets(row);
		const headers = withKey(world.key);
		await expectRefused(
			targets.map((target) => ({ method, target, headers, body })),
			[400, 404],
		);
	});

	/** Some of them each: another part of all spellings for the next operation. */
	const sampled = () =>
		withParams.flatMap((row, at) => {
			const targets = oddTargets(row).filter((_, nth) => nth % 12 === at % 12);
			const body = bodyIn(world, row);
			return targets.map((target) => ({ method: row.method, target, body }));
		});

	test("without a key it is 401", async () => {
		await expectRefused(sampled(), [401]);
	});

	test("nor below /_admin, for somebody who is signed in", async () => {
		const { cookie, csrf } = browser;
		const headers = { cookie, "x-csrf-token": csrf };
		await expectRefused(
			sampled().map(({ target, ...one }) => ({
				...one,
				target: `/_admin${target}`,
				headers,
			})),
			[400, 404],
		);
	});
});

describe("every surface", () => {
	const SURFACES = [
		...["/v1/leads", "/api/v1/integrations", "/v1", "/mcp", "/_admin"],
		...["/_admin/session", "/_admin/stream", "/_admin/v1/leads"],
		...["/docs", "/docs/receiver", "/docs/api", "/openapi.json", "/metrics"],
		...["/healthz", "/readyz", "/assets", "/index.html", "/favicon.svg"],
		...["/integrations", ""],
	];
	const ODD = [
		...["/../metrics", "/..", "/.", "/./", "/%2e%2e/metrics", "/%2E%2E"],
		...["/.%2e/metrics", "/%252e%252e/metrics", "/..;/metrics", ";/metrics"],
		...[
			"/..%2fmetrics",
			"%2f..%2fmetrics",
			"\\..\\metrics",
			"/%5c..%5cmetrics",
		],
		...["//metrics", "//", "/#/metrics", "#", "%00", "/%zz", "/%c0%ae%c0%ae/"],
		...["/x/..?page=1", "?page=1#", "/%6d"],
	];
	const targets = SURFACES.flatMap((surface) =>
		ODD.map((odd) => surface + odd),
	).filter((target) => target.startsWith("/"));

	test("refuses odd paths, also in the absolute form", async () => {
		const { host } = new URL(api.url);
		for (const origin of ["", `http://${host}`, "HTTPS://other.example:443"])
			await expectRefused(
				targets.map((target) => ({
					target: origin + target,
					headers: withKey(world.key),
				})),
				[400],
			);
	});

	test("says 401 first where a key is needed, and 400 elsewhere", async () => {
		const isOfApi = (target: string) => /^\/(api\/)?v1\b/.test(target);
		await expectRefused(
			targets.filter(isOfApi).map((target) => ({ target })),
			[401],
		);
		await expectRefused(
			targets.filter((one) => !isOfApi(one)).map((target) => ({ target })),
			[400],
		);
	});

	test("takes the absolute form and non-ASCII text of what is plain", async () => {
		const { host } = new URL(api.url);
		const headers = withKey(world.key);
		const answers = await sendAll([
			{ target: `http://${host}/v1/leads?page=1`, headers },
			{ target: "https://partnerwire.example/v1/leads/", headers },
			{ target: `http://${host}/healthz`, headers },
			{ target: "/v1/leads?search=../..;%2e%2e//\\", headers },
			{ target: "/%C3%A4", headers },
			{ target: "/%ff", headers },
		]);
		expect(answers.map(statusOf)).toEqual([200, 200, 200, 200, 404, 400]);
	});

	test.each(["*", "v1/leads", "?x=1", "http:/v1/leads", "ftp://h/v1/leads"])(
		"refuses the target %s, which is no path",
		async (target) => {
			const [answer = ""] = await sendAll([
				{ target, method: target === "*" ? "OPTIONS" : "GET" },
			]);
			expect(statusOf(answer)).toBe(400);
		},
	);
});
