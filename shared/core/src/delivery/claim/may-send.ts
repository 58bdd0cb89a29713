import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/**
 * Whether anything of an integration may be claimed now: while its lanes are being closed, what is ready need not be the
 * first of its lane. `claim.postgres.ts` has the same condition in a statement of its own.
 */
export const maySend = (
	row: Readonly<
		Record<"status" | "deletedAt" | "relanedTo" | "ordering", SQLWrapper>
	>,
): SQL<boolean> =>
	sql<boolean>`(${row.status} = 'active' and ${row.deletedAt} is null and (${row.relanedTo} is null or ${row.ordering} = 'none'))`;
