import { reactive, watchEffect } from "vue";
import { api } from "../api/client.ts";

/** Names of integrations that were loaded before, until the page is left. */
const known = reactive<Record<string, string>>({});
const asked = new Set<string>();

/** The names of the integrations with these ids, as they arrive. */
export function useLabels(
	ids: () => readonly string[],
): Readonly<Record<string, string>> {
	watchEffect(() => {
		for (const id of ids()) {
			if (asked.has(id)) continue;
			asked.add(id);
			api
				.getIntegration({ params: { integration_id: id } })
				.then(({ label }) => {
					known[id] = label;
				})
				.catch(() => {
					known[id] = "a deleted integration";
				});
		}
	});
	return known;
}
