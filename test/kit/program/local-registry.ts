import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { createGzip } from "node:zlib";
import { ROOT } from "../sources.ts";

interface Manifest {
	readonly name: string;
	readonly version: string;
}

type Send = (response: ServerResponse) => void;

const readManifest = (path: string): Manifest =>
	JSON.parse(readFileSync(join(path, "package.json"), "utf8"));

function sendTar(
	response: ServerResponse,
	folder: string,
	args: readonly string[],
): void {
	const tar = spawn("tar", ["-c", "--hard-dereference", ...args], {
		cwd: folder,
		stdio: ["ignore", "pipe", "inherit"],
	});
	tar.once("error", (error) => response.destroy(error));
	// npm repeats a request that was cut off.
	pipeline(tar.stdout, createGzip({ level: 1 }), response, () => tar.kill());
}

/** Packs a package of the clone's `node_modules`, with or without what was compiled for this machine. */
const sendFolder =
	(folder: string, isCompiled: boolean): Send =>
	(response) =>
		sendTar(response, folder, [
			"--exclude=./node_modules",
			...(isCompiled ? [] : ["--exclude=./build"]),
			"--transform=s,^\\.,package,",
			".",
		]);

/** The end of the URL at which `prebuild-install` looks for the binary of better-sqlite3 for this Node. */
const BINARY = `-node-v${process.versions.modules}-${process.platform}-${process.arch}.tar.gz`;

/**
 * A registry of these tarballs and of all packages that the clone has installed. So npm installs and resolves as for a user, and sends
 * no requests to other hosts. Without `isCompiled`, packages come as they are published: install scripts must build them. It is also a
 * host of binaries for such scripts.
 */
export async function openLocalRegistry(
	tarballs: readonly { manifest: Manifest; file: string }[],
	{ isCompiled = true }: { isCompiled?: boolean } = {},
) {
	const packages = new Map<string, Map<string, [Manifest, Send]>>();
	const add = (manifest: Manifest, send: Send) => {
		const versions = packages.get(manifest.name) ?? new Map();
		packages.set(
			manifest.name,
			versions.set(manifest.version, [manifest, send]),
		);
	};
	for (const root of [ROOT, join(ROOT, "test/platforms")]) {
		const { packages: installed } = JSON.parse(
			readFileSync(join(root, "package-lock.json"), "utf8"),
		) as { packages: Record<string, { link?: boolean }> };
		for (const [path, { link }] of Object.entries(installed)) {
			const folder = join(root, path);
			// Packages for other platforms are missing.
			if (!path.includes("node_modules/") || link || !existsSync(folder))
				continue;
			add(readManifest(folder), sendFolder(folder, isCompiled));
		}
	}
	for (const { manifest, file } of tarballs)
		add(manifest, (response) =>
			pipeline(createReadStream(file), response, () => {}),
		);

	const server = createServer(({ url = "" }, response) => {
		if (url.endsWith(BINARY))
			return sendTar(response, join(ROOT, "node_modules/better-sqlite3"), [
				"build/Release/better_sqlite3.node",
			]);
		const [name = "", version] = decodeURIComponent(url.slice(1)).split("/-/");
		const versions = packages.get(name);
		if (!versions) return response.writeHead(404).end("{}");
		const release = version && versions.get(version);
		if (release) return release[1](response);
		const port = (server.address() as AddressInfo).port;
		const all = [...versions].map(([of, [manifest]]) => [
			of,
			{
				...manifest,
				dist: { tarball: `http://127.0.0.1:${port}/${name}/-/${of}` },
			},
		]);
		response.setHeader("content-type", "application/json");
		response.end(
			JSON.stringify({
				name,
				"dist-tags": { latest: [...versions.keys()].at(-1) },
				versions: Object.fromEntries(all),
			}),
		);
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}
