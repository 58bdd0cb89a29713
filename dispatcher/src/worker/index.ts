export { deliverOnce } from "./deliver-once.ts";
export { describeWebhook } from "./describe-webhook.ts";
export { planRetry, RETRY_SCHEDULE, type Retry } from "./retry-schedule.ts";
export { signWebhook } from "./sign-webhook.ts";
export type { TokenOptions } from "./signed-requests.ts";
export { startWorker, type Worker, type WorkerLoad } from "./worker.ts";
export type { WorkerOptions } from "./worker-options.ts";
