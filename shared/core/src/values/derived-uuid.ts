/*
 * Uuids of things without a row of their own: each belongs to a row and has a number within it. The uuid is a UUIDv7
 * (RFC 9562 §5.7) of the row's time, with the row's id (40 bits) and the number (32 bits) in place of random bits.
 */

export interface DerivedFrom {
	readonly id: number;
	readonly createdAt: number;
}

const hex = (value: number, digits: number) =>
	value.toString(16).padStart(digits, "0");

/** Defines the uuids of one kind. The variant's digit tells kinds apart. */
export function defineDerivedUuid(variant: "8" | "9") {
	const shape = new RegExp(
		`^[0-9a-f]{8}-[0-9a-f]{4}-7([0-9a-f]{3})-${variant}([0-9a-f]{3})-([0-9a-f]{4})([0-9a-f]{8})$`,
	);
	return {
		to({ id, createdAt }: DerivedFrom, number: number): string {
			const time = hex(createdAt, 12);
			const row = hex(id, 10);
			const parts = [
				time.slice(0, 8),
				time.slice(8),
				`7${row.slice(0, 3)}`,
				variant + row.slice(3, 6),
				row.slice(6) + hex(number, 8),
			];
			return parts.join("-");
		},

		/** The row's id and the number of a uuid; null for a uuid of another kind. */
		from(uuid: string): { id: number; number: number } | null {
			const [, a, b, c, number] = shape.exec(uuid) ?? [];
			return number === undefined
				? null
				: {
						id: Number.parseInt(`${a}${b}${c}`, 16),
						number: Number.parseInt(number, 16),
					};
		},
	};
}
