import { readFileSync, statSync } from "node:fs";

const PATH =
	process.platform === "win32"
		? `${process.env.SystemRoot}\\System32\\drivers\\etc\\hosts`
		: "/etc/hosts";

/** The names of a hosts file's text, in lower case. */
export function parseHostsFile(text: string): ReadonlySet<string> {
	const names = text
		.split("\n")
		.flatMap((line) => line.replace(/#.*/, "").trim().split(/\s+/).slice(1));
	return new Set(names.map((name) => name.toLowerCase()));
}

/** Says of a name whether the system's hosts file has it; the file is read again when it has changed. */
export function createHostsFile(path = PATH): (host: string) => boolean {
	let version = "";
	let names: ReadonlySet<string> = new Set();
	const refresh = () => {
		// Read in step: it is small, and libuv's threads are what must not be waited for.
		const { mtimeMs, size } = statSync(path);
		if (version === `${mtimeMs} ${size}`) return;
		names = parseHostsFile(readFileSync(path, "utf8"));
		version = `${mtimeMs} ${size}`;
	};
	return (host) => {
		try {
			refresh();
		} catch {
			// Without a readable file there are no names in it.
			return false;
		}
		return names.has(host.toLowerCase());
	};
}
