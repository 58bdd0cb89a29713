/**
 * Thrown by a handler if no retry can help. The sender gets a 200, and the event goes to `onDeadLetter`.
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
