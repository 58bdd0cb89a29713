/** What `build/operation-routes.ts` makes of the operation table. */
declare module "virtual:operation-routes" {
	import type { OperationId } from "@partnerwire/contract";

	const routes: Readonly<
		Record<OperationId, readonly [method: string, path: string]>
	>;
	export default routes;
}
