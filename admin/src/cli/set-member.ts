import { UsageError } from "./usage-error.ts";

/** Sets `a.b.0.c` of a JSON value in place; `text` is read as JSON where it is JSON, else as a string. */
export function setMember(target: unknown, assignment: string): void {
	const split = assignment.indexOf("=");
	if (split < 1)
		throw new UsageError(
			`--set takes path=value, such as lead.email=a@b.example, not ${assignment}`,
		);
	const path = assignment.slice(0, split).split(".");
	const last = path.pop() as string;
	let at = target;
	for (const name of path) {
		const next =
			isContainer(at) && Object.hasOwn(at, name) ? at[name] : undefined;
		if (!isContainer(next))
			throw new UsageError(
				`--set: the payload has no ${name} to hold ${assignment.slice(0, split)}`,
			);
		at = next;
	}
	Object.defineProperty(at, last, {
		value: parse(assignment.slice(split + 1)),
		enumerable: true,
		writable: true,
		configurable: true,
	});
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
