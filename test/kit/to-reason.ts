/** The messages of an error and of its causes. */
export async function toReason(failing: Promise<unknown>): Promise<string> {
	const messages: string[] = [];
	try {
		await failing;
	} catch (error) {
		for (let at = error; at instanceof Error; at = at.cause)
			messages.push(at.message);
	}
	return messages.join(": ");
}
