/*
 * The store's Lua scripts, one for each method. Redis runs each atomically. All keys begin with KEYS[1], which has a hash tag: so a
 * cluster keeps them in one slot, and a client's own key prefix applies to all of them.
 *   payload:<fingerprint>   hash   delivery id ('' for none) → {fence, done, expires, entity, sequence, supersedes}
 *   delivery:<delivery id>  set    the fingerprints that it came with
 *   entity:<entity>         set    [fingerprint, delivery id] of the payloads that a later one supersedes
 *   sequence:<entity>       string {highest, expires} of the committed ones
 * The `expires` of a record decides. The expiry of a key only frees its memory.
 */

const COMMON = `
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

/** A claim whose lease is over stays for this time. Its holder can still commit it if nobody has taken it over. */
const LINGER_MS = 60_000;

/** now, fingerprint, delivery id, fence, entity, sequence, supersedes, lease → state, conflict, stale. */
export const CLAIM = `${COMMON}
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

/** now, fingerprint, delivery id, fence, ttl → 1 or 0. */
export const COMMIT = `${COMMON}
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

/** now, fingerprint, delivery id, fence → 1 or 0. */
export const RELEASE = `${COMMON}
return held() and redis.call('HDEL', payload, delivery) or 0`;

/** now, fingerprint → the number of records removed. */
export const FORGET = `${COMMON}
local count = redis.call('HLEN', payload)
redis.call('DEL', payload)
return count`;
