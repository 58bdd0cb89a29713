/** The emulator cannot do what it was asked; the message says why. */
export class EmulatorError extends Error {
	override readonly name = "EmulatorError";
}
