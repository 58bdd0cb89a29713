export {
	createDashboard,
	type Dashboard,
	type DashboardOptions,
} from "./dashboard/dashboard.ts";
export { createSetUpLink, type SetUpLink } from "./dashboard/set-up-link.ts";
export { type AppOptions, createApp } from "./http/app.ts";
export { createMetrics, type Metrics } from "./metrics/metrics.ts";
export { readFixture } from "./service/fixtures.ts";
export { type Listening, listen } from "./service/listen.ts";
export {
	openService,
	type Service,
	type ServiceOptions,
} from "./service/open-service.ts";
export { readSeed } from "./service/read-seed.ts";
