export { createTestClock, type TestClock } from "./testing/clock.ts";
export {
	type DedupStoreFixture,
	describeDedupStore,
	type OpenDedupStore,
	type TestFunctions,
} from "./testing/describe-dedup-store.ts";
export {
	createTestBody,
	type SignedRequestOptions,
	signedRequest,
	signTestToken,
	TEST_SECRET,
} from "./testing/signed-request.ts";
export { tamper } from "./testing/tamper.ts";
