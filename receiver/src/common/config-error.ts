/** Why a receiver could not be built (house rule 6: a closed list; callers switch on `code`). */
export type ConfigErrorCode =
	| "CONFIG_SECRET"
	| "CONFIG_OPTION"
	| "CONFIG_EVENT"
	| "CONFIG_STORE";

/** Thrown at construction, with a sentence that says what to fix; never at request time (cases E01, E06). */
export class ReceiverConfigError extends Error {
	readonly code: ConfigErrorCode;

	constructor(code: ConfigErrorCode, message: string) {
		super(message);
		this.name = "ReceiverConfigError";
		this.code = code;
	}
}
