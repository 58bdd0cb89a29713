/*
 * A value has no row of its own, which would make a lead with 30 of them four times as dear to create. Its uuid is a
 * UUIDv7 (RFC 9562) of the time when its record got values, and in place of random bits the ids of the record's values
 * and of the field: 40 and 32 bits.
 */

interface Named {
	readonly valuesId: number;
	readonly fieldId: number;
}

const hex = (value: number, digits: number) =>
	value.toString(16).padStart(digits, "0");

export function toValueUuid(
	{ id, createdAt }: { id: number; createdAt: number },
	fieldId: number,
): string {
	const time = hex(createdAt, 12);
	const values = hex(id, 10);
	const parts = [
		time.slice(0, 8),
		time.slice(8),
		`7${values.slice(0, 3)}`,
		`8${values.slice(3, 6)}`,
		values.slice(6) + hex(fieldId, 8),
	];
	return parts.join("-");
}

const SHAPE =
	/^[0-9a-f]{8}-[0-9a-f]{4}-7([0-9a-f]{3})-8([0-9a-f]{3})-([0-9a-f]{4})([0-9a-f]{8})$/;

/** What a value's uuid names; null for a uuid that is none of a value. */
export function fromValueUuid(uuid: string): Named | null {
	const [, ...parts] = SHAPE.exec(uuid) ?? [];
	const [a, b, c, field] = parts;
	return field === undefined
		? null
		: {
				valuesId: Number.parseInt(`${a}${b}${c}`, 16),
				fieldId: Number.parseInt(field, 16),
			};
}
