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
	// Literal paths come before paths with a parameter in the same place.
}).sort((a, b) => a.parameters - b.parameters);

/** Finds the row of the operation table for a request. */
export const findOperation = (
	method: string,
	path: string,
): OperationId | undefined =>
	routes.find((route) => route.method === method && route.pattern.test(path))
		?.id;
