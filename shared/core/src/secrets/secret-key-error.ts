/** The secret key is missing, malformed, or not the one that the database was written with. */
export class SecretKeyError extends Error {
	override readonly name = "SecretKeyError";
	readonly code = "secret_key";

	/** `writtenUnder` is the id of the key that the database was written with, if that is another. */
	constructor(
		message: string,
		{
			writtenUnder,
			...options
		}: ErrorOptions & { writtenUnder?: string | undefined } = {},
	) {
		super(message, options);
		this.writtenUnder = writtenUnder;
	}

	readonly writtenUnder: string | undefined;
}
