/* The subpath `partnerwire/emulator`: the emulator for tests. */

export type { SeedInput } from "@partnerwire/core";
export type { ClockState } from "./emulator/clock.ts";
export { EmulatorError } from "./emulator/emulator-error.ts";
export type { Fault, FaultRuleInput } from "./emulator/fault-rules.ts";
export type { InboxEntry, InboxFilter } from "./emulator/inbox.ts";
export {
	type Emulator,
	type EmulatorKeys,
	type EmulatorOptions,
	startEmulator,
} from "./emulator/start-emulator.ts";
export {
	createTestClient,
	type TestClientOptions,
} from "./emulator/test-client.ts";
