/** Why a receiver could not be built. The list is closed: callers switch on `code`. */
export type ConfigErrorCode =
	| "CONFIG_SECRET"
	| "CONFIG_OPTION"
	| "CONFIG_EVENT"
	| "CONFIG_STORE";

/** Thrown at construction, with a sentence that says what to fix. Never thrown while a request is answered. */
export class ReceiverConfigError extends Error {
	readonly code: ConfigErrorCode;

	constructor(code: ConfigErrorCode, message: string) {
		super(message);
		this.name = "ReceiverConfigError";
		this.code = code;
	}
}
