import type { Integration } from "@partnerwire/contract";

type Stored = Pick<
	Integration,
	"on_pause" | "ordering" | "max_per_second" | "retry_schedule"
>;

/** The form's texts for what is stored. */
export const toSettingsForm = (stored: Stored) => ({
	on_pause: stored.on_pause,
	ordering: stored.ordering,
	max_per_second: stored.max_per_second?.toString() ?? "",
	retry_schedule: stored.retry_schedule?.join(", ") ?? "",
});

/** What the form says, for a PATCH: text that is no number goes as it is, and the service says what is wrong with it. */
export function fromSettingsForm(
	form: ReturnType<typeof toSettingsForm>,
): Stored {
	const numberOf = (text: string) =>
		/^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : (text as never);
	const { max_per_second: most, retry_schedule: delays } = form;
	return {
		on_pause: form.on_pause,
		ordering: form.ordering,
		max_per_second: most.trim() === "" ? null : numberOf(most),
		retry_schedule:
			delays.trim() === "" ? null : delays.split(",").map(numberOf),
	};
}
