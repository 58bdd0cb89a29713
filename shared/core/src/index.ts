export { authenticate } from "./access/authenticate.ts";
export {
	endSession,
	findOpenSessions,
	findSession,
	openSession,
	type Session,
} from "./access/sessions.ts";
export { type SetUp, setUp } from "./access/set-up.ts";
export type { Caller } from "./caller.ts";
export { CLOCK_SKEW_MS } from "./clock-skew.ts";
export { type Core, type CoreOptions, createCore } from "./core.ts";
export { backupSqlite } from "./db/backup.sqlite.ts";
export type { Db, Store } from "./db/db.ts";
export { migratePostgres, type PostgresClient } from "./db/migrate.postgres.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./db/open.sqlite.ts";
export { openRateTable, openStore } from "./db/open-store.ts";
export { describeDatabase, isPostgresUrl } from "./db/postgres-url.ts";
export { refuseInUse } from "./db/refuse-in-use.sqlite.ts";
export { StorageError, type StorageErrorCode } from "./db/storage-error.ts";
export type { PhaseTimings } from "./db/tables/webhooks.ts";
export { withRandom } from "./db/with-random.ts";
export {
	beginWatch,
	type WatchCursor,
	type Watched,
	watch,
} from "./domain/webhook-events/watch-deliveries.ts";
export { requireModule } from "./execute/access.ts";
export type { Execute, ExecuteOptions } from "./execute/execute.ts";
export { parseInput, type RawInput } from "./execute/parse-input.ts";
export type { Ports, SignedWebhook, WebhookRequest } from "./ports.ts";
export { addApiKey, addCompany, addUser, setModule } from "./provision.ts";
export {
	type ClaimedDelivery,
	type ClaimOptions,
	type ClaimRoom,
	claimDue,
} from "./queue/claim-due.ts";
export type { ClaimedIntegration } from "./queue/claimed-integrations.ts";
export { findPaused } from "./queue/find-paused.ts";
export { mendDueTimes } from "./queue/mend-due-times.ts";
export { passFailingHeads } from "./queue/pass-failing-heads.ts";
export { reclaimExpired } from "./queue/reclaim-expired.ts";
export { returnClaimed } from "./queue/return-claimed.ts";
export {
	type SettledAttempt,
	type Settlement,
	settle,
	settlePatiently,
} from "./queue/settle.ts";
export { takeTurn } from "./queue/take-turn.ts";
export { newUuid, type Random } from "./random.ts";
export { type Cipher, createCipher } from "./secrets/cipher.ts";
export {
	type OpenIntegration,
	openIntegration,
} from "./secrets/integration-secrets.ts";
export { rekey } from "./secrets/rekey.ts";
export {
	hasNextKeyFile,
	loadSecretKey,
	type NextKeyFile,
	parseSecretKey,
	prepareNextKeyFile,
	tellOfKeyFiles,
} from "./secrets/secret-key.ts";
export { SecretKeyError } from "./secrets/secret-key-error.ts";
export { claimEmpty, isEmpty, type Seeded, seedCompany } from "./seed.ts";
export { Seed, type SeedInput } from "./seed-schema.ts";
export { createSeededRandom } from "./seeded-random.ts";
export { countUnbalanced } from "./upkeep/check-ledger.ts";
export { finishChanges } from "./upkeep/finish-changes.ts";
export { type Alert, raiseAlerts } from "./upkeep/raise-alerts.ts";
export { type Agenda, readAgenda } from "./upkeep/read-agenda.ts";
export { type QueueGauges, readGauges } from "./upkeep/read-gauges.ts";
export { removeExpired } from "./upkeep/remove-expired.ts";
export { runReplays } from "./upkeep/run-replays.ts";
export {
	type DueAlert,
	planAlert,
	removeOldAlerts,
	takeDueAlerts,
} from "./upkeep/send-alerts.ts";
