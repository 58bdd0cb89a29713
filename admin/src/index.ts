/* The package `partnerwire`: the service for programs that embed it. */

export { readFixture } from "./assets/fixtures.ts";
export { readSeed } from "./assets/read-seed.ts";
export {
	createDashboard,
	type Dashboard,
	type DashboardOptions,
} from "./dashboard/dashboard.ts";
export { createSetUpLink, type SetUpLink } from "./dashboard/set-up-link.ts";
export { createMetrics, type Metrics } from "./metrics/metrics.ts";
export { type AppOptions, createApp } from "./service/app.ts";
export { type Listening, listen } from "./service/listen.ts";
export {
	openService,
	type Service,
	type ServiceOptions,
} from "./service/open-service.ts";
