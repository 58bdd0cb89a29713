import { readFileSync, statSync } from "node:fs";

const PATH =
	process.platform === "win32"
		? `${process.env.SystemRoot}\\System32\\drivers\\etc\\hosts`
		: "/etc/hosts";

/** Parses a hosts file into its names, in lower case. */
export function parseHostsFile(text: string): ReadonlySet<string> {
	const names = text
		.split("\n")
		.flatMap((line) => line.replace(/#.*/, "").trim().split(/\s+/).slice(1));
	return new Set(names.map((name) => name.toLowerCase()));
}

/** Tells whether the system's hosts file has a name. The file is read again if it has changed. */
export function createHostsFile(path = PATH): (host: string) => boolean {
	let version = "";
	let names: ReadonlySet<string> = new Set();
	const refresh = () => {
		// Read synchronously: the file is small, and an asynchronous read would wait for libuv's threads.
		const { mtimeMs, size } = statSync(path);
		if (version === `${mtimeMs} ${size}`) return;
		names = parseHostsFile(readFileSync(path, "utf8"));
		version = `${mtimeMs} ${size}`;
	};
	return (host) => {
		try {
			refresh();
		} catch {
			// A file that cannot be read has no names.
			return false;
		}
		return names.has(host.toLowerCase());
	};
}
