import { encodeSegment, signSegments, TEST_SECRET } from "./signed-request.ts";

const split = (token: string): [string, string, string] => {
	const [header = "", payload = "", signature = ""] = token.split(".");
	return [header, payload, signature];
};

const ALPHABET =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The character whose value differs in the lowest bit. In a signature's last character this bit is unused. */
const flipLowBit = (char: string): string =>
	ALPHABET.charAt(ALPHABET.indexOf(char) ^ 1);

/** Ways to spoil a good token. A receiver must answer each with 401 (docs/receiver.md#testing-your-handler). */
export const tamper = {
	/** Another signature of the same length. */
	signature(token: string): string {
		const [header, payload, signature] = split(token);
		const first = signature.startsWith("A") ? "B" : "A";
		return `${header}.${payload}.${first}${signature.slice(1)}`;
	},
	/** The same signature in another spelling: its unused last bits are set. */
	nonCanonical: (token: string): string =>
		`${token.slice(0, -1)}${flipLowBit(token.slice(-1))}`,
	/** With base64 padding, which compact tokens never have. */
	padded: (token: string): string => `${token}=`,
	truncated: (token: string): string => token.slice(0, -1),
	unsigned: (token: string): string =>
		token.slice(0, token.lastIndexOf(".") + 1),
	/** Other claims under the old signature. */
	claims(token: string, claims: object): string {
		const [header, , signature] = split(token);
		return `${header}.${encodeSegment(JSON.stringify(claims))}.${signature}`;
	},
	/** `alg: none`, or another value, with the signature left in place. */
	alg(token: string, alg: unknown = "none"): string {
		const [, payload, signature] = split(token);
		return `${encodeSegment(JSON.stringify({ alg, typ: "JWT" }))}.${payload}.${signature}`;
	},
	/** Another header, signed again with the right secret: only the header's content can be wrong. */
	async header(
		token: string,
		header: object,
		secret: string = TEST_SECRET,
	): Promise<string> {
		const [, payload] = split(token);
		const input = `${encodeSegment(JSON.stringify(header))}.${payload}`;
		return `${input}.${await signSegments(input, secret)}`;
	},
	/** A copy of a request with another token and the same body. */
	request(request: Request, change: (token: string) => string): Request {
		const copy = new Request(request);
		const token = (copy.headers.get("authorization") ?? "").replace(
			/^Bearer /,
			"",
		);
		copy.headers.set("authorization", `Bearer ${change(token)}`);
		return copy;
	},
} as const;
