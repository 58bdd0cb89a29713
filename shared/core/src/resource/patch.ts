import { isDeepStrictEqual } from "node:util";

/** The columns that a PATCH changes. Absent members are kept, equal ones are no change (docs/decisions.md#patch). */
export function toChangedColumns<Row extends object>(
	row: Row,
	columns: Partial<Row>,
): Partial<Row> | null {
	const changed = Object.entries(columns).filter(
		([column, value]) =>
			value !== undefined && !isSame(value, row[column as keyof Row]),
	);
	return changed.length === 0
		? null
		: (Object.fromEntries(changed) as Partial<Row>);
}

/** Compares JSON columns, whose members may come back in another order. */
const isSame = (a: unknown, b: unknown) =>
	a === b ||
	(typeof a === "object" && isDeepStrictEqual(toPlain(a), toPlain(b)));

/** The value as it is stored: JSON has no -0. */
const toPlain = (value: unknown): unknown =>
	value === undefined ? value : JSON.parse(JSON.stringify(value));
