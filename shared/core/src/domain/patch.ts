/** The columns that a PATCH really changes: absent members are kept, equal ones are no change (decisions §1). */
export function toChangedColumns<Row extends object>(
	row: Row,
	given: Partial<Row>,
): Partial<Row> | null {
	const changed = Object.entries(given).filter(
		([column, value]) =>
			value !== undefined && !isSame(value, row[column as keyof Row]),
	);
	return changed.length === 0
		? null
		: (Object.fromEntries(changed) as Partial<Row>);
}

const isSame = (a: unknown, b: unknown) =>
	a === b || JSON.stringify(a) === JSON.stringify(b);
