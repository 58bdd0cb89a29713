import { accessSync, constants } from "node:fs";
import { codeOf } from "../sqlite/private-file.ts";
import { StorageError } from "../storage-error.ts";

const MODES = [
	"disable",
	"allow",
	"prefer",
	"require",
	"verify-ca",
	"verify-full",
];
const FILES = ["sslrootcert", "sslcert", "sslkey"];

export const toUrlError = (why: string): StorageError =>
	// The URL itself is not repeated: it may hold a password.
	new StorageError("database_unreadable", `The database's URL ${why}.`);

const refuse = (why: string): never => {
	throw toUrlError(why);
};

/**
 * Reads `sslmode`, `ssl` and the certificates of a URL as libpq does, and says them as the driver takes them. Returns
 * the URLs to try in turn: `allow` and `prefer` are content with a connection of the other kind.
 */
export function toUrlsOfTls(given: URL): string[] {
	const modes = toModes(given.searchParams);
	return modes.map((mode) => {
		const url = new URL(given);
		url.searchParams.delete("ssl");
		if (mode !== null) {
			url.searchParams.set("sslmode", mode);
			// Without it, the driver reads `require` as `verify-full`, and prints a warning.
			url.searchParams.set("uselibpqcompat", "true");
		}
		return url.toString();
	});
}

function toModes(parameters: URLSearchParams): (string | null)[] {
	const mode = parameters.get("sslmode") ?? toModeOfSsl(parameters.get("ssl"));
	if (parameters.has("sslcrl")) refuse("takes no sslcrl");
	for (const name of FILES)
		if (parameters.get(name) !== "system")
			checkFile(name, parameters.get(name));
	// The system's authorities, for which libpq insists on the strictest mode.
	if (parameters.get("sslrootcert") === "system") {
		parameters.delete("sslrootcert");
		return ["verify-full"];
	}
	switch (mode) {
		case null:
			return [null];
		case "allow":
			return ["disable", "prefer"];
		case "prefer":
			return ["prefer", "disable"];
		// The driver's own word.
		case "no-verify":
			return ["require"];
		case "verify-ca":
			if (!parameters.has("sslrootcert"))
				refuse("needs sslrootcert with sslmode=verify-ca");
			return [mode];
		default:
			if (!MODES.includes(mode)) refuse(`takes sslmode=${MODES.join(", ")}`);
			return [mode];
	}
}

function toModeOfSsl(ssl: string | null): string | null {
	if (ssl === null) return null;
	if (/^(true|1)$/.test(ssl)) return "require";
	if (/^(false|0)$/.test(ssl)) return "disable";
	return refuse("takes ssl=true or false, or sslmode");
}

function checkFile(name: string, path: string | null): void {
	if (path === null) return;
	try {
		accessSync(path, constants.R_OK);
	} catch (error) {
		refuse(`names a file as ${name} that cannot be read (${codeOf(error)})`);
	}
}

/** Connects with the first URL that works. Throws the error of the last one. */
export async function connectInTurn<Connected>(
	urls: readonly string[],
	connect: (url: string) => Promise<Connected>,
): Promise<Connected> {
	for (const url of urls.slice(0, -1))
		try {
			return await connect(url);
		} catch {
			// The next one may work.
		}
	return connect(urls.at(-1) as string);
}
