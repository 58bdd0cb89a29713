// The subpath `@partnerwire/dispatcher/worker`: deliver from the queue of the core.
export { deliverOnce } from "./deliver-once.ts";
export { describeWebhook } from "./describe-webhook.ts";
export { planRetry, RETRY_SCHEDULE, type Retry } from "./retry-schedule.ts";
export { signWebhook } from "./sign-webhook.ts";
export type { TokenOptions } from "./signed-requests.ts";
export { startWorker } from "./worker.ts";
export type { Worker, WorkerLoad, WorkerOptions } from "./worker-options.ts";
