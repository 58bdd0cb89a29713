import { unknownWord } from "../suggest.ts";
import { UsageError } from "../usage-error.ts";

/**
 * Sets a member such as `a.b.0.c` of a JSON value in place, below one of the given roots. The new value is read as JSON if
 * it is JSON, otherwise as a string. Returns the path if the member did not exist before.
 */
export function setMember(
	target: unknown,
	roots: readonly string[],
	assignment: string,
): string | undefined {
	const split = assignment.indexOf("=");
	if (split < 1)
		throw new UsageError(
			`--set takes path=value, such as lead.email=a@b.example, not ${assignment}`,
		);
	const whole = assignment.slice(0, split);
	const path = whole.split(".");
	const [root = ""] = path;
	if (!roots.includes(root))
		throw unknownWord("--set: the payload has no", root, roots);
	const last = path.pop() as string;
	let at = target;
	for (const name of path) {
		const next =
			isContainer(at) && Object.hasOwn(at, name) ? at[name] : undefined;
		if (!isContainer(next))
			throw new UsageError(
				`--set: the payload has no ${name} to hold ${whole}`,
			);
		at = next;
	}
	const isNew = isContainer(at) && !Object.hasOwn(at, last);
	if (
		Array.isArray(at) &&
		!(/^(0|[1-9]\d*)$/.test(last) && Number(last) <= at.length)
	)
		throw new UsageError(
			`--set: ${whole} must end in an index of a list of ${at.length}`,
		);
	Object.defineProperty(at, last, {
		value: parse(assignment.slice(split + 1)),
		enumerable: true,
		writable: true,
		configurable: true,
	});
	return isNew && !Array.isArray(at) ? whole : undefined;
}

const isContainer = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null;

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
