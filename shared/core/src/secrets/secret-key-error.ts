/** The secret key is missing, malformed, or not the one that the database was written with. */
export class SecretKeyError extends Error {
	override readonly name = "SecretKeyError";
	readonly code = "secret_key";
}
