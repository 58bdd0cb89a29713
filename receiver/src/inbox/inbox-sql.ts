import { isEventId } from "@partnerwire/wire";

/** The differences between the two engines. */
export interface InboxDialect {
	/** The expression for the current time in milliseconds. */
	now: string;
	/** The end of a select that locks its rows, so that others skip them. */
	lock: string;
}

/** The columns of the table, in types that both engines know. Times are milliseconds since the epoch. */
export const INBOX_COLUMNS = `
	fingerprint text not null,
	delivery_id text not null,
	entity_id text,
	sequence bigint,
	supersedes integer not null,
	conflict integer not null,
	event_id text not null,
	body text not null,
	envelope text not null,
	state text not null,
	attempts integer not null,
	due_at bigint not null,
	fence text,
	error text,
	received_at bigint not null,
	expires_at bigint`;

/** The indexes: suffix → columns. */
export const INBOX_INDEXES: Readonly<Record<string, string>> = {
	payload: "(fingerprint)",
	delivery: "(delivery_id) where delivery_id <> ''",
	entity: "(entity_id, sequence) where entity_id is not null",
	lane: "(entity_id, id) where state in ('pending', 'processing')",
	due: "(due_at) where state in ('pending', 'processing')",
	dead: "(id) where state = 'dead'",
	expiry: "(expires_at) where state = 'done'",
};

const UNFINISHED = "state in ('pending', 'processing')";
const PURGE_BATCH = 1_000;

/** The statements of an inbox for both engines, with named parameters (`@name`). */
export function toInboxSql(table: string, { now, lock }: InboxDialect) {
	const remembered = (row: string) =>
		`(${row}.expires_at is null or ${row}.expires_at > ${now})`;
	const held = "where id = @id and fence = @fence and state = 'processing'";
	const listed = `select id, case when state = 'processing' and due_at <= ${now} then 'pending' else state end as state,
		event_id, delivery_id, entity_id, sequence, attempts, error, received_at, due_at from ${table}`;
	return {
		// Of rows without timestamp and delivery id, a later one of the record makes an earlier payload new again (A → B → A).
		put: `insert into ${table} (fingerprint, delivery_id, entity_id, sequence, supersedes, conflict, event_id, body, envelope,
				state, attempts, due_at, received_at)
			select @fingerprint, @delivery_id, @entity_id, cast(@sequence as bigint), cast(@supersedes as integer),
				case when exists (select 1 from ${table} other where other.delivery_id = @delivery_id and other.delivery_id <> ''
					and other.fingerprint <> @fingerprint and ${remembered("other")}) then 1 else 0 end,
				@event_id, @body, @envelope, 'pending', 0, ${now}, ${now}
			where not exists (select 1 from ${table} old where old.fingerprint = @fingerprint and ${remembered("old")}
				and (old.delivery_id = '' or @delivery_id = '' or old.delivery_id = @delivery_id)
				and not (old.supersedes = 1 and exists (select 1 from ${table} later where later.entity_id = old.entity_id
					and later.supersedes = 1 and later.id > old.id and later.fingerprint <> old.fingerprint)))
			returning conflict`,
		take(eventIds: readonly string[]): string {
			const known = eventIds.filter(isEventId).map((id) => `'${id}'`);
			const handled = `event_id in (${known.join(", ") || "''"})`;
			return `with head as (
				select id from ${table} own where ${UNFINISHED} and due_at <= ${now} and ${handled}
				and not exists (select 1 from ${table} other where other.entity_id = own.entity_id and other.id <> own.id
					and other.${UNFINISHED} and other.${handled}
					and (other.id < own.id or (other.state = 'processing' and other.due_at > ${now})))
				order by due_at, id limit @limit ${lock})
			update ${table} set state = 'processing', attempts = attempts + 1, fence = @fence, due_at = ${now} + @lease_ms
			where id in (select id from head)
			returning id, fence, event_id, fingerprint, body, envelope, attempts, conflict,
				case when exists (select 1 from ${table} newer where newer.entity_id = ${table}.entity_id and newer.state = 'done'
					and newer.sequence > ${table}.sequence and newer.expires_at > ${now}) then 1 else 0 end as stale`;
		},
		extend: `update ${table} set due_at = ${now} + @lease_ms ${held} returning id`,
		settle: `update ${table} set state = @state, due_at = ${now} + @delay_ms, fence = null,
				attempts = coalesce(cast(@attempts as integer), attempts), error = cast(@error as text),
				expires_at = ${now} + cast(@ttl_ms as bigint),
				body = case when @state = 'done' then '' else body end,
				envelope = case when @state = 'done' then '' else envelope end
			${held} returning id`,
		stats: `select count(case when state = 'pending' or (state = 'processing' and due_at <= ${now}) then 1 end) as pending,
				count(case when state = 'processing' and due_at > ${now} then 1 end) as processing,
				count(case when state = 'done' then 1 end) as done,
				count(case when state = 'dead' then 1 end) as dead,
				${now} - min(case when ${UNFINISHED} then received_at end) as oldest
			from ${table}`,
		list: `${listed} order by id limit @limit`,
		listState: `select * from (${listed}) as entry where state = @state order by id limit @limit`,
		retry: `update ${table} set state = 'pending', attempts = 0, due_at = ${now}, expires_at = null
			where id = @id and state in ('dead', 'pending') returning id`,
		retryDead: `update ${table} set state = 'pending', attempts = 0, due_at = ${now}, expires_at = null
			where state = 'dead' returning id`,
		forget: `update ${table} set expires_at = 0 where fingerprint = @fingerprint and state in ('done', 'dead')
			and ${remembered(table)} returning id`,
		purge: `with old as (select id from ${table} where state = 'done' and expires_at <= ${now} limit ${PURGE_BATCH} ${lock})
			delete from ${table} where id in (select id from old) returning id`,
		purgeBatch: PURGE_BATCH,
	};
}

export type InboxSql = ReturnType<typeof toInboxSql>;
