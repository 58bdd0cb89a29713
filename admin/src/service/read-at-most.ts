/** Reads the beginning of a body, and does not wait for the rest. */
export async function readAtMost(
	body: ReadableStream<Uint8Array> | null,
	most: number,
): Promise<ArrayBuffer> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	// Leaving the loop cancels the stream.
	for await (const chunk of body ?? []) {
		chunks.push(chunk);
		length += chunk.length;
		if (length >= most) break;
	}
	const read = new Uint8Array(Math.min(length, most));
	let at = 0;
	for (const chunk of chunks) {
		read.set(chunk.subarray(0, most - at), at);
		at += Math.min(chunk.length, most - at);
	}
	return read.buffer;
}
