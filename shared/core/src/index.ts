// All that other packages may use of the core.

export { authenticate } from "./company/authenticate.ts";
export {
	addApiKey,
	addCompany,
	addUser,
	setModule,
} from "./company/provision.ts";
export {
	claimEmpty,
	isEmpty,
	type Seeded,
	seedCompany,
} from "./company/seed.ts";
export { Seed, type SeedInput } from "./company/seed-schema.ts";
export {
	endSession,
	findOpenSessions,
	findSession,
	openSession,
	type Session,
} from "./company/sessions.ts";
export { type SetUp, setUp } from "./company/set-up.ts";
export type { Caller } from "./context/caller.ts";
export type { Ports, SignedWebhook, WebhookRequest } from "./context/ports.ts";
export { type CopyOptions, copyDatabase } from "./copy/copy-database.ts";
export { type Core, type CoreOptions, createCore } from "./core.ts";
export { checkWritable } from "./db/check-writable.ts";
export type { Db, Store, WorkerLock } from "./db/db.ts";
export { openRateTable, openStore } from "./db/open-store.ts";
export { migratePostgres, type PostgresClient } from "./db/postgres/migrate.ts";
export type { ReplicaChange } from "./db/postgres/replica.ts";
export { connectInTurn } from "./db/postgres/tls.ts";
export {
	describeDatabase,
	isPostgresUrl,
	parsePostgresUrl,
} from "./db/postgres/url.ts";
export { backupSqlite } from "./db/sqlite/backup.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./db/sqlite/open.ts";
export { refuseInUse } from "./db/sqlite/refuse-in-use.ts";
export { StorageError, type StorageErrorCode } from "./db/storage-error.ts";
export type { PhaseTimings } from "./db/tables/webhooks.ts";
export { withRandom } from "./db/with-random.ts";
export { type Alert, raiseAlerts } from "./delivery/alerts/raise-alerts.ts";
export {
	type DueAlert,
	planAlert,
	removeOldAlerts,
	takeDueAlerts,
} from "./delivery/alerts/send-alerts.ts";
export { type ClaimedDelivery, claimDue } from "./delivery/claim/claim-due.ts";
export type { ClaimOptions, ClaimRoom } from "./delivery/claim/claim-room.ts";
export type { ClaimedIntegration } from "./delivery/claim/claimed-integrations.ts";
export {
	openWorkerLock,
	reclaimExpired,
	reclaimFromDead,
	returnClaimed,
} from "./delivery/claim/end-claims.ts";
export { findPaused } from "./delivery/claim/find-paused.ts";
export { passFailingHeads } from "./delivery/lanes/pass-failing-heads.ts";
export { rescheduleAfterClockChange } from "./delivery/lanes/reschedule-after-clock-change.ts";
export { type Agenda, readAgenda } from "./delivery/read-agenda.ts";
export { type QueueGauges, readGauges } from "./delivery/read-gauges.ts";
export {
	type AttemptOutcome,
	type RecordResult,
	recordAttempts,
	recordAttemptsWithin,
} from "./delivery/record/record-attempts.ts";
export { recordAndClaim } from "./delivery/record-and-claim.ts";
export { runReplays } from "./delivery/replay/run-replays.ts";
export { countUnbalanced } from "./delivery/retention/check-ledger.ts";
export { finishChanges } from "./delivery/retention/finish-changes.ts";
export { removeExpired } from "./delivery/retention/remove-expired.ts";
export { requireModule } from "./execute/access.ts";
export type { Execute, ExecuteOptions } from "./execute/execute.ts";
export { parseInput, type RawInput } from "./execute/parse-input.ts";
export { type Cipher, createCipher } from "./secrets/cipher.ts";
export {
	type OpenIntegration,
	openIntegration,
} from "./secrets/integration-secrets.ts";
export { rekey } from "./secrets/rekey.ts";
export {
	addKeyFileHint,
	hasNextKeyFile,
	loadSecretKey,
	type NextKeyFile,
	parseSecretKey,
	prepareNextKeyFile,
	writeKeyFile,
} from "./secrets/secret-key.ts";
export { SecretKeyError } from "./secrets/secret-key-error.ts";
export { CLOCK_SKEW_MS } from "./values/clock-skew.ts";
export { newUuid, type Random } from "./values/random.ts";
export { createSeededRandom } from "./values/seeded-random.ts";
export {
	beginWatch,
	type WatchCursor,
	type Watched,
	watch,
} from "./webhook-events/watch-deliveries.ts";
