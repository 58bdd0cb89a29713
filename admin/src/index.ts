export { type AppOptions, createApp } from "./http/app.ts";
export { createMetrics, type Metrics } from "./metrics/metrics.ts";
export { readFixture, readSeed } from "./service/fixtures.ts";
export { type Listening, listen } from "./service/listen.ts";
export {
	openService,
	type Service,
	type ServiceOptions,
} from "./service/open-service.ts";
