import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/**
 * The condition that deliveries of an integration may be claimed now. While its lanes are being reworked into an order,
 * a ready delivery need not be the first of its lane, so nothing is claimed. `DUE` in `claim.ts` repeats it.
 */
export const maySend = (
	row: Readonly<
		Record<"status" | "deletedAt" | "relanedTo" | "ordering", SQLWrapper>
	>,
): SQL<boolean> =>
	sql<boolean>`(${row.status} = 'active' and ${row.deletedAt} is null and (${row.relanedTo} is null or ${row.ordering} = 'none'))`;
