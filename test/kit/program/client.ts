import {
	ERROR_STATUS,
	ErrorBody,
	type Method,
	OPERATION_IDS,
	type Operation,
	type OperationId,
	operations,
} from "@partnerwire/contract";
import { expect } from "vitest";
import { documentedAnswer, isDocumented } from "./openapi-schemas.ts";

export interface Init {
	/** The value of an API key; null sends no Authorization header. */
	key?: string | null;
	/** Sent as JSON; a string is sent as it is. */
	body?: unknown;
	headers?: Record<string, string>;
}

export interface Answer {
	status: number;
	headers: Headers;
	// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the schema that was checked says.
	body: any;
}

export interface Call extends Init {
	params?: Record<string, string>;
	query?: string;
}

/** The path of an operation, its parameters filled in. */
const pathOf = (id: OperationId, params: Record<string, string> = {}): string =>
	operations[id].path.replace(
		/\{(\w+)\}/g,
		(_, name: string) => params[name] ?? `missing-${name}`,
	);

const routes = OPERATION_IDS.map((id) => {
	const operation: Operation = operations[id];
	const pattern = operation.path.replace(/\{\w+\}/g, "[^/]+");
	const parameters = operation.path.split("{").length;
	return { id, operation, parameters, pattern: new RegExp(`^${pattern}/?$`) };
	// A path that is written out comes before a parameter in its place.
}).sort((a, b) => a.parameters - b.parameters);

/** The row of the table that a request is for. */
const operationOf = (method: string, path: string) =>
	routes.find(
		(route) => route.operation.method === method && route.pattern.test(path),
	);

/** Every answer of the suite is held against the operation's response schema and what `/openapi.json` says, or the error envelope. */
function checkAnswer(
	method: string,
	path: string,
	{ status, headers, body }: Answer,
): void {
	const where = `${method} ${path}`;
	const route = operationOf(method, path.split("?")[0] as string);
	expect(headers.get("content-type"), where).toMatch(/^application\/json\b/);
	if (status >= 400) {
		// The schema strips unknown members: an equal result means that there are none.
		expect(ErrorBody.parse(body), where).toEqual(body);
		const { code, details } = body.error;
		expect(ERROR_STATUS[code as keyof typeof ERROR_STATUS]).toBe(status);
		if (code === "validation_error") expect(details).toBeInstanceOf(Array);
		if (route)
			expect(
				isDocumented(route.operation, status),
				`${where} may answer ${status}, says /openapi.json`,
			).toBe(true);
		return;
	}
	if (!route) return;
	const { id, operation } = route;
	expect(status, where).toBe(operation.status);
	expect(operation.response.parse(body), where).toEqual(body);
	const documented = documentedAnswer(id, operation).safeParse(body);
	expect(documented.error?.issues, `${where} in /openapi.json`).toBe(undefined);
}

/** A client that speaks plain HTTP and checks each answer. */
export function createTestClient(url: string, defaultKey: string) {
	async function request(
		method: Method | (string & {}),
		path: string,
		{ key = defaultKey, body, headers }: Init = {},
	): Promise<Answer> {
		const response = await fetch(url + path, {
			method,
			headers: {
				...(key !== null && { authorization: `Bearer ${key}` }),
				...(body !== undefined && { "content-type": "application/json" }),
				...headers,
			},
			...(body !== undefined && {
				body: typeof body === "string" ? body : JSON.stringify(body),
			}),
		});
		const answer = {
			status: response.status,
			headers: response.headers,
			body: await response.json(),
		};
		checkAnswer(method, path, answer);
		return answer;
	}

	return {
		request,
		/** Calls an operation of the table. */
		call: (id: OperationId, { params, query = "", ...init }: Call = {}) =>
			request(operations[id].method, pathOf(id, params) + query, init),
	};
}

export type TestClient = ReturnType<typeof createTestClient>;
