/* The status of an answer, from its bytes: undici tells it only after a whole and valid head. */
const PROTOCOL = "HTTP/";
/** The places of the status code in a status line: `HTTP/1.1 200 OK`. */
const CODE_BEGIN = 9;
const CODE_END = 12;
const LF = 10;
const CR = 13;
const ZERO = 48;

/**
 * Follows the status lines of an answer while its bytes are read. undici tells a status only after a whole and valid head, and it
 * refuses an unasked 100, which is an interim answer like any other (RFC 9110 §15.2). So the parser gets a 102 in its place.
 */
export class StatusLines {
	/** The status of the answer that is being read, as soon as its code has come. Null before it and for an interim answer, but for a 101. */
	status: number | null = null;
	/** The number of characters of the status line that were read. */
	#place = 0;
	#code = 0;
	#isInHeaders = false;
	#lineLength = 0;
	#isDone = true;

	/** Expects the first byte of an answer. */
	begin(): void {
		this.status = null;
		this.#place = 0;
		this.#code = 0;
		this.#isInHeaders = false;
		this.#isDone = false;
	}

	/** Reads the next bytes. A 100 in them becomes a 102. */
	read(bytes: Buffer): void {
		for (let at = 0; at < bytes.length && !this.#isDone; at++) {
			const byte = bytes[at] as number;
			if (this.#isInHeaders) this.#readHeaders(byte);
			else if (this.#readStatusLine(byte)) bytes[at] = ZERO + 2;
		}
	}

	/** Finds the blank line that ends an interim answer. */
	#readHeaders(byte: number): void {
		if (byte !== LF) {
			if (byte !== CR) this.#lineLength++;
		} else if (this.#lineLength === 0) this.begin();
		else this.#lineLength = 0;
	}

	/** True at the last digit of a 100. */
	#readStatusLine(byte: number): boolean {
		// The parser skips blank lines before an answer.
		if (this.#place === 0 && (byte === CR || byte === LF)) return false;
		const place = this.#place++;
		if (place < CODE_BEGIN) {
			this.#isDone =
				place < PROTOCOL.length && byte !== PROTOCOL.charCodeAt(place);
			return false;
		}
		this.#isDone = byte < ZERO || byte > ZERO + 9;
		this.#code = this.#code * 10 + byte - ZERO;
		if (this.#isDone || place < CODE_END - 1) return false;
		const code = this.#code;
		this.#isInHeaders = code >= 100 && code < 200 && code !== 101;
		this.#lineLength = 1;
		this.#isDone = !this.#isInHeaders;
		if (this.#isDone && code > 100) this.status = code;
		return code === 100;
	}
}
