import { Column, getTableName, is, SQL } from "drizzle-orm";

/** Internals of a prepared query of Drizzle's `sqlite-proxy`, which its types do not declare. */
export interface PreparedByDrizzle {
	readonly fields?: readonly Field[];
	/** Joined tables whose row always exists. */
	readonly joinsNotNullableMap?: Readonly<Record<string, boolean>>;
}

interface Field {
	/** The member, or the object and its member. */
	readonly path: readonly string[];
	readonly field: unknown;
}
interface Placed extends Field {
	readonly index: number;
}

type Read = (raw: readonly unknown[]) => unknown;

/**
 * Returns the function that turns a row of column values into the object that the query's fields describe, by Drizzle's
 * rules.
 */
export function createRowReader(
	fields: readonly Field[],
	joinsNotNullable: Readonly<Record<string, boolean>>,
): (raw: readonly unknown[]) => unknown {
	const members = new Map<string, Placed[]>();
	for (const [index, { path, field }] of fields.entries()) {
		const [name, ...rest] = path as [string, ...string[]];
		const placed = members.get(name) ?? [];
		members.set(name, [...placed, { path: rest, field, index }]);
	}
	return toObject(
		[...members].map(([name, placed]) => [
			name,
			toRead(placed, joinsNotNullable),
		]),
	);
}

function toRead(
	placed: readonly Placed[],
	joinsNotNullable: Readonly<Record<string, boolean>>,
): Read {
	const [first] = placed as [Placed];
	if (first.path.length === 0) return toValue(first);
	if (placed.some(({ path }) => path.length > 1))
		throw new TypeError("a query's objects hold no objects");
	const object = toObject(
		placed.map((field) => [field.path[0] as string, toValue(field)]),
	);
	const columns = placed.filter(({ field }) => is(field, Column));
	const tables = new Set(
		columns.map(({ field }) => getTableName((field as Column).table)),
	);
	const [table] = tables;
	const [key] = columns;
	// An outer join may find no row.
	const mayBeMissing =
		key && table && tables.size === 1 && !joinsNotNullable[table];
	return mayBeMissing
		? (raw) => (raw[key.index] === null ? null : object(raw))
		: object;
}

const toObject =
	(members: readonly (readonly [string, Read])[]): Read =>
	(raw) => {
		const object: Record<string, unknown> = {};
		for (const [name, read] of members) object[name] = read(raw);
		return object;
	};

function toValue({ field, index }: Placed): Read {
	const decoder = decoderOf(field);
	return decoder
		? (raw) => {
				const value = raw[index];
				return value === null ? null : decoder.mapFromDriverValue(value);
			}
		: (raw) => raw[index];
}

interface Decoder {
	mapFromDriverValue(value: unknown): unknown;
}

/** The decoder of a field; null for columns that are read as stored, which most are. */
function decoderOf(field: unknown): Decoder | null {
	if (is(field, Column)) {
		const isAsStored =
			field.mapFromDriverValue === Column.prototype.mapFromDriverValue;
		return isAsStored ? null : field;
	}
	const { decoder } = (
		is(field, SQL) ? field : (field as { sql: unknown }).sql
	) as { decoder: Decoder };
	return decoder;
}
