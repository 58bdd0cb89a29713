import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { StoredIntegration } from "../secrets/integration-secrets.ts";

type Of<Value> = Readonly<
	Record<"status" | "deletedAt" | "relanedTo" | "ordering", Value>
>;

/** Whether anything of an integration may be claimed now; `maySendSql` says the same, and so do statements of PostgreSQL. */
export const maySend = ({
	status,
	deletedAt,
	relanedTo,
	ordering,
}: Pick<StoredIntegration, keyof Of<unknown>>): boolean =>
	status === "active" &&
	deletedAt === null &&
	// While its lanes are being closed, what is ready need not be the first of its lane.
	(relanedTo === null || ordering === "none");

/** `maySend` as a condition on the columns of a row. */
export const maySendSql = (row: Of<SQLWrapper>): SQL<boolean> =>
	sql<boolean>`(${row.status} = 'active' and ${row.deletedAt} is null and (${row.relanedTo} is null or ${row.ordering} = 'none'))`;
