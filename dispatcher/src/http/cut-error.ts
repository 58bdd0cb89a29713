/** An error that the wire raises against its own request. */
export class CutError extends Error {
	override readonly name = "CutError";
	readonly code:
		| "ANSWER_TIMEOUT"
		| "ANSWER_TOO_LARGE"
		| "UNASKED"
		| "SWITCHED"
		| "ABORTED";

	constructor(code: CutError["code"]) {
		super(code);
		this.code = code;
	}
}
