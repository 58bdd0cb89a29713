import { parseUrl } from "@partnerwire/wire";

/** The service's refusals of a URL, each with a sentence that says what to do. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
	[
		/must be an https URL/,
		"Use https: a webhook carries a token, which must not be readable on its way.",
	],
	[
		/must be an https or http URL/,
		"Begin with https:// (or http:// on this machine).",
	],
	[
		/absolute URL/,
		"Give the whole address, such as https://crm.example.com/hook.",
	],
	[
		/user name or password/,
		"Leave out the user name and password: the signed token says who calls.",
	],
	[/fragment/, "Leave out what follows the #: it is never sent."],
	[
		/local host name/,
		"This name exists only in a local network. Use one that the internet knows, or start the service with --allow-private.",
	],
	[
		/must not lead to (.+)/,
		"This leads to $1, which is not on the public internet. Use a public host, or start the service with --allow-private.",
	],
	[/white space/, "Remove spaces, line breaks and backslashes."],
	[
		/port 0/,
		"Port 0 does not exist. Leave the port out, or give the right one.",
	],
	[/empty label/, "The host name has two dots in a row, or begins with one."],
];

/** The sentence for a refusal of a webhook URL. An unknown refusal stays as it is. */
export function toUrlSentence(message: string): string {
	const bare = message.replace(/^(webhook_url:?|the URL)\s*/, "");
	for (const [pattern, sentence] of SENTENCES) {
		const found = pattern.exec(bare);
		if (found) return sentence.replace("$1", found[1] ?? "");
	}
	return bare;
}

/** A problem of a URL that shows before the service is asked; null if there is none. */
export function toEarlyUrlProblem(text: string): string | null {
	if (text === "" || parseUrl(text)) return null;
	return toUrlSentence("must be an absolute URL");
}
