// The subpath `@partnerwire/receiver/testing`.
export type { TestFunctions } from "./check.ts";
export { createTestClock, type TestClock } from "./clock.ts";
export {
	type DedupStoreFixture,
	describeDedupStore,
	type OpenDedupStore,
} from "./describe-dedup-store.ts";
export {
	describeInboxStore,
	type InboxStoreFixture,
	type OpenInboxStore,
} from "./describe-inbox-store.ts";
export {
	createTestBody,
	type SignedRequestOptions,
	signedRequest,
	signTestToken,
	TEST_SECRET,
} from "./signed-request.ts";
export { tamper } from "./tamper.ts";
