export type { TestFunctions } from "./testing/check.ts";
export { createTestClock, type TestClock } from "./testing/clock.ts";
export {
	type DedupStoreFixture,
	describeDedupStore,
	type OpenDedupStore,
} from "./testing/describe-dedup-store.ts";
export {
	describeInboxStore,
	type InboxStoreFixture,
	type OpenInboxStore,
} from "./testing/describe-inbox-store.ts";
export {
	createTestBody,
	type SignedRequestOptions,
	signedRequest,
	signTestToken,
	TEST_SECRET,
} from "./testing/signed-request.ts";
export { tamper } from "./testing/tamper.ts";
