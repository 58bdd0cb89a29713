// receiver/src/dedupe/to-key.ts
import { createHash } from "node:crypto";
var PLAIN_UP_TO = 500;
function toKey(text) {
  const isPlain = text.length <= PLAIN_UP_TO && !/[\0\p{Surrogate}]/u.test(text);
  if (isPlain && !text.startsWith("sha256:")) return text;
  return `sha256:${createHash("sha256").update(JSON.stringify(text)).digest("base64url")}`;
}

// receiver/src/common/config-error.ts
var ReceiverConfigError = class extends Error {
  code;
  constructor(code, message) {
    super(message);
    this.name = "ReceiverConfigError";
    this.code = code;
  }
};

// receiver/src/stores/survive-errors.ts
function surviveErrors(client2) {
  const { on, listenerCount } = client2;
  if (typeof on !== "function" || typeof listenerCount !== "function") return;
  const emitter = client2;
  if (emitter.listenerCount("error") === 0) emitter.on("error", () => {
  });
}

// receiver/src/stores/postgres-client.ts
var refuse = (message) => {
  throw new ReceiverConfigError("CONFIG_STORE", message);
};
function toQuery(client2, who) {
  if (typeof client2?.unsafe === "function")
    return async (text, values) => Array.from(
      await client2.unsafe(text, values)
    );
  if (typeof client2?.query !== "function")
    refuse(
      `${who}: give it a client of pg (a Pool) or of postgres (postgres.js).`
    );
  surviveErrors(client2);
  return async (text, values) => (await client2.query(text, values)).rows;
}
function quoteTable(table, who) {
  if (typeof table !== "string" || !/^([a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,39}$/.test(table))
    refuse(
      `${who}: table must be name or schema.name, in lower-case letters, digits and underscores, the name of at most 40.`
    );
  return table.split(".").map((part) => `"${part}"`).join(".");
}
var withSuffix = (quoted, suffix) => `${quoted.slice(0, -1)}_${suffix}"`;
var withoutSchema = (quoted) => quoted.slice(quoted.lastIndexOf(".") + 1);
var nowOr = (parameter) => `coalesce(${parameter}::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint)`;
function toSetup(exists, statements) {
  return `do $setup$ begin
	if ${exists} then return; end if;
	perform pg_advisory_xact_lock(hashtextextended('partnerwire receiver', 0));
${statements}
end $setup$`;
}
function createSetup(query, setup) {
  let ready;
  return async function prepare() {
    if (setup === void 0) return;
    ready ??= query(setup, []);
    try {
      await ready;
    } catch (error) {
      ready = void 0;
      throw error;
    }
  };
}

// receiver/src/stores/postgres-dedup.ts
var TABLE = "partnerwire_dedup";
var PURGE_EVERY_MS = 6e4;
var PURGE_BATCH = 1e3;
function postgresStoreSchema(table = TABLE) {
  const name = quoteTable(table, "postgresStoreSchema");
  const index = (suffix) => withoutSchema(withSuffix(name, suffix));
  return toSetup(
    `to_regproc('${claimOf(name)}') is not null`,
    `	create table if not exists ${name} (
		fingerprint text not null,
		delivery_id text not null,
		entity_id text,
		sequence bigint,
		supersedes boolean not null,
		fence text not null,
		done boolean not null,
		expires_at bigint not null,
		primary key (fingerprint, delivery_id)
	);
	create index if not exists ${index("delivery")} on ${name} (delivery_id) where delivery_id <> '';
	create index if not exists ${index("entity")} on ${name} (entity_id) where entity_id is not null;
	create index if not exists ${index("expiry")} on ${name} (expires_at);
	create or replace function ${claimOf(name)}(
		a_fingerprint text, a_delivery text, a_entity text, a_sequence bigint, a_supersedes boolean,
		a_fence text, a_lease_ms bigint, a_now bigint
	) returns table (state text, conflict boolean, stale boolean) language plpgsql as $claim$
	declare
		v_now bigint;
		v_done boolean;
	begin
		if current_setting('transaction_isolation') <> 'read committed' then
			raise 'partnerwire: claims need the isolation level read committed';
		end if;
		perform pg_advisory_xact_lock(hashtextextended('${name}' || a_fingerprint, 0));
		v_now := ${nowOr("a_now")};
		select t.done into v_done from ${name} t
			where t.fingerprint = a_fingerprint and t.expires_at > v_now and t.fence <> a_fence
			and (t.delivery_id = '' or a_delivery = '' or t.delivery_id = a_delivery)
			order by t.done desc limit 1;
		if found then
			return query select case when v_done then 'done' else 'running' end, false, false;
			return;
		end if;
		insert into ${name} as t (fingerprint, delivery_id, entity_id, sequence, supersedes, fence, done, expires_at)
			values (a_fingerprint, a_delivery, a_entity, a_sequence, a_supersedes, a_fence, false, v_now + a_lease_ms)
			on conflict (fingerprint, delivery_id) do update set
				entity_id = excluded.entity_id, sequence = excluded.sequence, supersedes = excluded.supersedes,
				fence = excluded.fence, done = false, expires_at = excluded.expires_at
			where t.expires_at <= v_now or t.fence = a_fence;
		if not found then -- its late holder committed it in between
			return query select 'running', false, false;
			return;
		end if;
		if a_supersedes then
			delete from ${name} t where t.entity_id = a_entity and t.supersedes and t.done
				and t.fingerprint <> a_fingerprint;
		end if;
		return query select 'claimed',
			exists (select from ${name} t where t.delivery_id = a_delivery and t.delivery_id <> ''
				and t.fingerprint <> a_fingerprint and t.expires_at > v_now),
			exists (select from ${name} t where t.entity_id = a_entity and t.done
				and t.sequence > a_sequence and t.expires_at > v_now);
	end $claim$;`
  );
}
var claimOf = (name) => withSuffix(name, "claim_1");
function toStatements(name) {
  const held = "where fingerprint = $1 and delivery_id = $2 and fence = $3 and not done";
  return {
    claim: `select state, conflict, stale from ${claimOf(name)}($1, $2, $3, $4, $5, $6, $7, $8)`,
    commit: `update ${name} set done = true, expires_at = ${nowOr("$5")} + $4 ${held} returning 1`,
    release: `delete from ${name} ${held} returning 1`,
    forget: `delete from ${name} where fingerprint = $1 returning 1`,
    purge: `delete from ${name} where ctid = any (array(
			select ctid from ${name} where expires_at <= ${nowOr("$1")}
			limit ${PURGE_BATCH} for update skip locked)) returning 1`
  };
}
function postgresStore(client2, options = {}) {
  const o = {
    table: TABLE,
    createTable: true,
    createFence: () => crypto.randomUUID(),
    ...options
  };
  const name = quoteTable(o.table, "postgresStore");
  const query = toQuery(client2, "postgresStore");
  const sql = toStatements(name);
  const prepare = createSetup(
    query,
    o.createTable ? postgresStoreSchema(o.table) : void 0
  );
  const now2 = () => o.clock ? o.clock() : null;
  const toHeld = ({ fingerprint, deliveryId, fence }) => [
    toKey(fingerprint),
    toKey(deliveryId ?? ""),
    fence
  ];
  let purgedMs = Number.NEGATIVE_INFINITY;
  async function purge() {
    if (performance.now() - purgedMs < PURGE_EVERY_MS) return;
    purgedMs = performance.now();
    while ((await query(sql.purge, [now2()])).length === PURGE_BATCH) ;
  }
  async function count(text, values) {
    await prepare();
    return (await query(text, values)).length;
  }
  return {
    ready: prepare,
    async claim(request) {
      await prepare();
      const { fingerprint, deliveryId, entityId } = request;
      const fence = o.createFence();
      const [row] = await query(sql.claim, [
        toKey(fingerprint),
        toKey(deliveryId ?? ""),
        entityId === null ? null : toKey(entityId),
        request.sequence,
        request.supersedes,
        fence,
        Math.ceil(request.leaseMs),
        now2()
      ]);
      purge().catch(() => {
      });
      if (row?.state !== "claimed") return { state: row?.state ?? "running" };
      const ticket = { fingerprint, deliveryId, fence };
      return {
        state: "claimed",
        ticket,
        conflict: row.conflict,
        stale: row.stale
      };
    },
    commit: async (ticket, ttlMs) => await count(sql.commit, [
      ...toHeld(ticket),
      Math.ceil(ttlMs),
      now2()
    ]) === 1,
    release: async (ticket) => await count(sql.release, toHeld(ticket)) === 1,
    forget: (fingerprint) => count(sql.forget, [toKey(fingerprint)])
  };
}

// receiver/src/common/time-limit.ts
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

// receiver/src/stores/redis-scripts.ts
var COMMON = `
local now = tonumber(ARGV[1])
if not now then
	local time = redis.call('TIME')
	now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local fingerprint, delivery = ARGV[2], ARGV[3]
local function key(kind, name) return KEYS[1] .. ':' .. kind .. ':' .. name end
local payload = key('payload', fingerprint)
local function load(of, id)
	local text = redis.call('HGET', key('payload', of), id)
	return text and cjson.decode(text)
end
local function keep(name, ms)
	if redis.call('PTTL', name) < ms then redis.call('PEXPIRE', name, ms) end
end
local function save(record, ms)
	redis.call('HSET', payload, delivery, cjson.encode(record))
	keep(payload, ms)
	if delivery ~= '' then
		redis.call('SADD', key('delivery', delivery), fingerprint)
		keep(key('delivery', delivery), ms)
	end
	if record.entity ~= '' and record.supersedes then
		redis.call('SADD', key('entity', record.entity), cjson.encode({fingerprint, delivery}))
		keep(key('entity', record.entity), ms)
	end
end
local function held()
	local record = load(fingerprint, delivery)
	return record and record.fence == ARGV[4] and not record.done and record
end
`;
var LINGER_MS = 6e4;
var CLAIM = `${COMMON}
local entity, sequence, supersedes = ARGV[5], ARGV[6], ARGV[7] == '1'
local lease = tonumber(ARGV[8])
local records = redis.call('HGETALL', payload)
local state
for index = 1, #records, 2 do
	local id, record = records[index], cjson.decode(records[index + 1])
	if record.expires + ${LINGER_MS} <= now then
		redis.call('HDEL', payload, id)
	elseif record.expires > now and (id == '' or delivery == '' or id == delivery) then
		-- Its own fence: a client sent the claim again after a lost connection.
		if record.fence ~= ARGV[4] then
			state = (record.done or state == 'done') and 'done' or 'running'
		end
	end
end
if state then return {state, 0, 0} end
if supersedes and entity ~= '' then
	for _, member in ipairs(redis.call('SMEMBERS', key('entity', entity))) do
		local other = cjson.decode(member)
		if other[1] ~= fingerprint then
			local record = load(other[1], other[2])
			if not record or record.done then
				if record and record.supersedes then redis.call('HDEL', key('payload', other[1]), other[2]) end
				redis.call('SREM', key('entity', entity), member)
			end
		end
	end
end
local conflict = 0
if delivery ~= '' then
	for _, other in ipairs(redis.call('SMEMBERS', key('delivery', delivery))) do
		local record = other ~= fingerprint and load(other, delivery)
		if record and record.expires > now then conflict = 1 end
	end
end
local stale = 0
local highest = redis.call('GET', key('sequence', entity))
if highest and entity ~= '' and sequence ~= '' then
	highest = cjson.decode(highest)
	if highest.expires > now and tonumber(highest.sequence) > tonumber(sequence) then stale = 1 end
end
save({ fence = ARGV[4], done = false, expires = now + lease, entity = entity, sequence = sequence, supersedes = supersedes }, lease + ${LINGER_MS})
return {'claimed', conflict, stale}`;
var COMMIT = `${COMMON}
local record = held()
if not record then return 0 end
local ttl = tonumber(ARGV[5])
record.done = true
record.expires = now + ttl
save(record, ttl)
if record.entity ~= '' and record.sequence ~= '' then
	local name = key('sequence', record.entity)
	local highest = redis.call('GET', name)
	highest = highest and cjson.decode(highest)
	if not highest or highest.expires <= now or tonumber(highest.sequence) <= tonumber(record.sequence) then
		redis.call('SET', name, cjson.encode({ sequence = record.sequence, expires = record.expires }))
		keep(name, ttl)
	end
end
return 1`;
var RELEASE = `${COMMON}
return held() and redis.call('HDEL', payload, delivery) or 0`;
var FORGET = `${COMMON}
local count = redis.call('HLEN', payload)
redis.call('DEL', payload)
return count`;

// receiver/src/stores/redis.ts
function toRun(client2, key) {
  if (typeof client2?.eval !== "function")
    throw new ReceiverConfigError(
      "CONFIG_STORE",
      "redisStore: give it the client of ioredis or of redis (node-redis)."
    );
  if ("call" in client2)
    return async (script, args) => client2.eval(script, 1, key, ...args);
  surviveErrors(client2);
  return async (script, args) => client2.eval(script, { keys: [key], arguments: args });
}
function redisStore(client2, options = {}) {
  const o = {
    prefix: "partnerwire:dedup",
    createFence: () => crypto.randomUUID(),
    ...options
  };
  if (typeof o.prefix !== "string" || !/^[\w:.-]{1,100}$/.test(o.prefix))
    throw new ReceiverConfigError(
      "CONFIG_STORE",
      "redisStore: prefix must be 1 to 100 letters, digits, underscores, colons, dots and hyphens."
    );
  const run = toRun(client2, `{${o.prefix}}`);
  const now2 = () => o.clock ? String(o.clock()) : "";
  const toMs = (ms) => String(Math.ceil(ms));
  const toHeld = ({ fingerprint, deliveryId, fence }) => [
    now2(),
    fingerprint,
    deliveryId ?? "",
    fence
  ];
  return {
    async claim(request) {
      const { fingerprint, deliveryId } = request;
      const ticket = { fingerprint, deliveryId, fence: o.createFence() };
      const [state, conflict, stale] = await run(CLAIM, [
        ...toHeld(ticket),
        request.entityId ?? "",
        String(request.sequence ?? ""),
        request.supersedes ? "1" : "0",
        toMs(request.leaseMs)
      ]);
      if (String(state) !== "claimed")
        return { state: String(state) };
      return {
        state: "claimed",
        ticket,
        conflict: Number(conflict) === 1,
        stale: Number(stale) === 1
      };
    },
    commit: async (ticket, ttlMs) => Number(await run(COMMIT, [...toHeld(ticket), toMs(ttlMs)])) === 1,
    release: async (ticket) => Number(await run(RELEASE, toHeld(ticket))) === 1,
    forget: async (fingerprint) => Number(await run(FORGET, [now2(), fingerprint, ""]))
  };
}

// receiver/src/stores/until-free.ts
var BUSY_FOR_MS = 5e3;
var BUSY_PAUSE_MS = 10;
var isBusy = (error) => String(error.code).startsWith("SQLITE_BUSY");
function untilFree(call) {
  const again = async (endMs) => {
    for (; ; ) {
      await pause(1 + Math.random() * BUSY_PAUSE_MS);
      try {
        return call();
      } catch (error) {
        if (!isBusy(error) || performance.now() > endMs) throw error;
      }
    }
  };
  try {
    return call();
  } catch (error) {
    if (!isBusy(error)) throw error;
    return again(performance.now() + BUSY_FOR_MS);
  }
}

// receiver/src/stores/sqlite.ts
var PURGE_EVERY_MS2 = 6e4;
function prepareAll(client2, table) {
  client2.exec(`
		CREATE TABLE IF NOT EXISTS ${table} (
			fingerprint TEXT NOT NULL,
			delivery_id TEXT NOT NULL,
			entity_id TEXT,
			sequence INTEGER,
			supersedes INTEGER NOT NULL,
			fence TEXT NOT NULL,
			done INTEGER NOT NULL,
			expires_at INTEGER NOT NULL,
			PRIMARY KEY (fingerprint, delivery_id)
		) WITHOUT ROWID;
		CREATE INDEX IF NOT EXISTS ${table}_delivery ON ${table} (delivery_id);
		CREATE INDEX IF NOT EXISTS ${table}_entity ON ${table} (entity_id);
		CREATE INDEX IF NOT EXISTS ${table}_expiry ON ${table} (expires_at);`);
  const copies = `FROM ${table} WHERE fingerprint = @fingerprint AND expires_at > @now
		AND (delivery_id = '' OR @delivery_id = '' OR delivery_id = @delivery_id)`;
  const held = `WHERE fingerprint = @fingerprint AND delivery_id = @delivery_id
		AND fence = @fence AND done = 0`;
  return {
    // One statement, so that it is atomic across processes without a transaction of the user's client (case F01).
    claim: client2.prepare(`
			INSERT INTO ${table} (fingerprint, delivery_id, entity_id, sequence, supersedes, fence, done, expires_at)
			SELECT @fingerprint, @delivery_id, @entity_id, @sequence, @supersedes, @fence, 0, @expires_at
			WHERE NOT EXISTS (SELECT 1 ${copies})
			ON CONFLICT (fingerprint, delivery_id) DO UPDATE SET
				entity_id = excluded.entity_id, sequence = excluded.sequence, supersedes = excluded.supersedes,
				fence = excluded.fence, done = 0, expires_at = excluded.expires_at`),
    copy: client2.prepare(`SELECT done ${copies} ORDER BY done DESC LIMIT 1`),
    conflict: client2.prepare(`
			SELECT 1 FROM ${table} WHERE delivery_id = @delivery_id AND delivery_id <> ''
			AND fingerprint <> @fingerprint AND expires_at > @now LIMIT 1`),
    stale: client2.prepare(`
			SELECT 1 FROM ${table} WHERE entity_id = @entity_id AND done = 1
			AND sequence > @sequence AND expires_at > @now LIMIT 1`),
    supersede: client2.prepare(`
			DELETE FROM ${table} WHERE entity_id = @entity_id AND supersedes = 1 AND done = 1
			AND fingerprint <> @fingerprint`),
    commit: client2.prepare(
      `UPDATE ${table} SET done = 1, expires_at = @expires_at ${held}`
    ),
    release: client2.prepare(`DELETE FROM ${table} ${held}`),
    forget: client2.prepare(
      `DELETE FROM ${table} WHERE fingerprint = @fingerprint`
    ),
    purge: client2.prepare(`DELETE FROM ${table} WHERE expires_at <= @now`)
  };
}
function sqliteStore(client2, options = {}) {
  const o = {
    table: "partnerwire_dedup",
    clock: () => Date.now(),
    createFence: () => crypto.randomUUID(),
    ...options
  };
  if (!/^[A-Za-z_]\w*$/.test(o.table))
    throw new ReceiverConfigError(
      "CONFIG_STORE",
      "sqliteStore: table must be a plain name of letters, digits and underscores."
    );
  const sql = prepareAll(client2, o.table);
  let purgedMs = Number.NEGATIVE_INFINITY;
  function purge(now2) {
    if (now2 - purgedMs < PURGE_EVERY_MS2 && now2 >= purgedMs) return;
    purgedMs = now2;
    sql.purge.run({ now: now2 });
  }
  function claim(request) {
    const now2 = o.clock();
    purge(now2);
    const { fingerprint, deliveryId, sequence } = request;
    const delivery_id = deliveryId ?? "";
    const entity_id = request.entityId;
    const fence = o.createFence();
    const { changes } = sql.claim.run({
      fingerprint,
      delivery_id,
      entity_id,
      sequence,
      supersedes: request.supersedes ? 1 : 0,
      fence,
      expires_at: now2 + request.leaseMs,
      now: now2
    });
    if (Number(changes) === 0) {
      const copy = sql.copy.get({ fingerprint, delivery_id, now: now2 });
      return { state: copy?.done ? "done" : "running" };
    }
    if (request.supersedes && entity_id !== null)
      sql.supersede.run({ entity_id, fingerprint });
    return {
      state: "claimed",
      ticket: { fingerprint, deliveryId, fence },
      conflict: sql.conflict.get({ delivery_id, fingerprint, now: now2 }) !== void 0,
      stale: sql.stale.get({ entity_id, sequence, now: now2 }) !== void 0
    };
  }
  const toHeld = ({ fingerprint, deliveryId, fence }) => ({
    fingerprint,
    delivery_id: deliveryId ?? "",
    fence
  });
  return {
    claim: (request) => untilFree(() => claim(request)),
    commit: (ticket, ttlMs) => untilFree(
      () => Number(
        sql.commit.run({
          ...toHeld(ticket),
          expires_at: o.clock() + ttlMs
        }).changes
      ) === 1
    ),
    release: (ticket) => untilFree(() => Number(sql.release.run(toHeld(ticket)).changes) === 1),
    forget: (fingerprint) => untilFree(() => Number(sql.forget.run({ fingerprint }).changes))
  };
}

// receiver/test/helpers/open-store.ts
var ignore = () => {
};
async function openStore(place) {
  const { at: at2, space: space2 } = place;
  const clock = place.clock && { clock: place.clock };
  switch (place.client) {
    case "better-sqlite3": {
      const { default: Database } = await import("better-sqlite3");
      const client2 = new Database(at2);
      client2.pragma("journal_mode = WAL");
      client2.pragma("busy_timeout = 0");
      return {
        store: sqliteStore(client2, clock),
        close: async () => void client2.close()
      };
    }
    case "ioredis": {
      const { Redis } = await import("ioredis");
      const client2 = new Redis(at2).on("error", ignore);
      return {
        store: redisStore(client2, { prefix: space2, ...clock }),
        close: async () => client2.disconnect()
      };
    }
    case "node-redis": {
      const { createClient } = await import("redis");
      const client2 = createClient({ url: at2 }).on("error", ignore);
      await client2.connect();
      return {
        store: redisStore(client2, { prefix: space2, ...clock }),
        close: async () => client2.destroy()
      };
    }
    case "pg": {
      const { default: pg } = await import("pg");
      const client2 = new pg.Pool({ connectionString: at2 }).on("error", ignore);
      return {
        store: postgresStore(client2, { table: space2, ...clock }),
        close: () => client2.end()
      };
    }
    case "postgres.js": {
      const { default: postgres } = await import("postgres");
      const client2 = postgres(at2, { onnotice: ignore });
      return {
        store: postgresStore(client2, { table: space2, ...clock }),
        close: () => client2.end({ timeout: 1 })
      };
    }
  }
}

// receiver/test/children/dedup-peer.ts
var [client, at = "", space = ""] = process.argv.slice(2);
var now = 0;
var { store } = await openStore({
  client,
  at,
  space,
  clock: () => now
});
process.on("message", async (call) => {
  now = call.now;
  const method = store[call.method];
  try {
    process.send?.({ id: call.id, result: await method(...call.args) });
  } catch (error) {
    process.send?.({ id: call.id, error: String(error) });
  }
});
process.send?.("ready");
