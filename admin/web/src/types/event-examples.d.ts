/** The module that `build/event-examples.ts` makes from the fixtures. */
declare module "virtual:event-examples" {
	import type { EventId } from "@partnerwire/wire";

	const examples: Readonly<
		Record<EventId, () => Promise<{ default: Record<string, unknown> }>>
	>;
	export default examples;
}
