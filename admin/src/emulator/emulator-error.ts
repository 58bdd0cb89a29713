/** The emulator cannot do what the caller asked for. The message says why. */
export class EmulatorError extends Error {
	override readonly name = "EmulatorError";
}
