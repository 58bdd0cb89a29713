import { fromLocalInput } from "./format.ts";

/** When a rotated secret takes over: at once, in this many seconds, or at a typed time. */
export type CutoverChoice = "now" | "3600" | "86400" | "at";

/** The `cutover_at` of a request. Null means at once, or that nothing is typed yet. */
export function toCutover(
	choice: CutoverChoice,
	typed: string,
	nowMs: number,
): string | null {
	if (choice === "now") return null;
	if (choice === "at") return fromLocalInput(typed);
	return new Date(nowMs + Number(choice) * 1000).toISOString();
}

/** The problem of a typed time, such as one in the past, which the service would refuse too. */
export function toCutoverProblem(
	choice: CutoverChoice,
	typed: string,
	nowMs: number,
): string | undefined {
	const at = toCutover(choice, typed, nowMs);
	return at !== null && Date.parse(at) < nowMs
		? "This time is past. Choose a later one, or “Now”."
		: undefined;
}
