/** The all-zero UUID, accepted wherever a UUID is (docs/contract.md#conventions). */
export const NIL_UUID = "00000000-0000-0000-0000-000000000000";
/** The all-f UUID, accepted wherever a UUID is (docs/contract.md#conventions). */
export const MAX_UUID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const VERSIONED =
	/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** True for versions 1 to 8 with variant 8, 9, a or b, and for nil and max, in either letter case. */
export function isUuid(text: string): boolean {
	if (VERSIONED.test(text)) return true;
	const lower = text.toLowerCase();
	return lower === NIL_UUID || lower === MAX_UUID;
}
