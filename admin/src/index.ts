export { type AppOptions, createApp } from "./http/app.ts";
export { readFixture, readSeed } from "./service/fixtures.ts";
export { type Listening, listen } from "./service/listen.ts";
export {
	openService,
	type Service,
	type ServiceOptions,
} from "./service/open-service.ts";
