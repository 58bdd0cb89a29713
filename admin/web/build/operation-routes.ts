import { operations } from "@partnerwire/contract";
import type { Plugin } from "vite";

const ID = "virtual:operation-routes";
const RESOLVED = `\0${ID}`;

/**
 * Projects the operation table to `{id: [method, path]}` while building: the browser needs no more of it, and the schemas
 * (zod) would be a quarter of the first load.
 */
export function operationRoutes(): Plugin {
	const routes = Object.fromEntries(
		Object.entries(operations).map(([id, { method, path }]) => [
			id,
			[method, path],
		]),
	);
	return {
		name: "partnerwire:operation-routes",
		resolveId: (id) => (id === ID ? RESOLVED : null),
		load: (id) =>
			id === RESOLVED ? `export default ${JSON.stringify(routes)};` : null,
	};
}
