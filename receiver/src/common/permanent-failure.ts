/**
 * Thrown by a handler to say that no retry can help: the sender gets its 200 and the event goes to `onDeadLetter` (case G03).
 *
 * @example
 * throw new PermanentFailure("the lead's country is not served");
 */
export class PermanentFailure extends Error {
	constructor(message?: string, options?: { cause?: unknown }) {
		super(message, options);
		this.name = "PermanentFailure";
	}
}
