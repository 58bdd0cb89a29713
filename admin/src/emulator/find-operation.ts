import {
	OPERATION_IDS,
	type OperationId,
	operations,
} from "@partnerwire/contract";

const routes = OPERATION_IDS.map((id) => {
	const { method, path } = operations[id];
	const pattern = path.replace(/\{\w+\}/g, "[^/]+");
	const parameters = path.split("{").length;
	return { id, method, parameters, pattern: new RegExp(`^${pattern}/?$`) };
	// A path that is written out comes before a parameter in its place.
}).sort((a, b) => a.parameters - b.parameters);

/** The row of the operation table that a request is for. */
export const findOperation = (
	method: string,
	path: string,
): OperationId | undefined =>
	routes.find((route) => route.method === method && route.pattern.test(path))
		?.id;
