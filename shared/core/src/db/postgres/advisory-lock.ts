/**
 * The statement that takes an advisory lock until the transaction ends. `key` is SQL for its number. Installations in
 * several schemas of one database have different locks. In `public` the number is the key itself, as in earlier
 * versions, which knew no other schema.
 */
export const toLockStatement = (key: string): string =>
	`select pg_advisory_xact_lock(${key} # coalesce(hashtextextended(nullif(current_schema()::text, 'public'), 0), 0))`;
