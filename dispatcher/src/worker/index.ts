export { deliverOnce } from "./deliver-once.ts";
export type { TokenOptions } from "./envelopes.ts";
export { maskClaims } from "./mask-claims.ts";
export { nextDelayMs, RETRY_SCHEDULE } from "./retry-schedule.ts";
export { startWorker, type Worker, type WorkerOptions } from "./worker.ts";
