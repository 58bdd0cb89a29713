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

/** Packs a package of the clone's `node_modules`, including files compiled for this machine. */
const sendFolder =
	(folder: string): Send =>
	(response) => {
		const tar = spawn(
			"tar",
			[
				"-c",
				"--hard-dereference",
				"--exclude=./node_modules",
				"--transform=s,^\\.,package,",
				".",
			],
			{ cwd: folder, stdio: ["ignore", "pipe", "inherit"] },
		);
		tar.once("error", (error) => response.destroy(error));
		// npm repeats a request that was cut off.
		pipeline(tar.stdout, createGzip({ level: 1 }), response, () => tar.kill());
	};

/**
 * A registry of these tarballs and of all packages that the clone has installed. So npm installs and resolves as for a user, and sends
 * no requests to other hosts.
 */
export async function openLocalRegistry(
	tarballs: readonly { manifest: Manifest; file: string }[],
) {
	const packages = new Map<string, Map<string, [Manifest, Send]>>();
	const add = (manifest: Manifest, send: Send) => {
		const versions = packages.get(manifest.name) ?? new Map();
		packages.set(
			manifest.name,
			versions.set(manifest.version, [manifest, send]),
		);
	};
	const { packages: installed } = JSON.parse(
		readFileSync(join(ROOT, "package-lock.json"), "utf8"),
	) as { packages: Record<string, { link?: boolean }> };
	for (const [path, { link }] of Object.entries(installed)) {
		const folder = join(ROOT, path);
		// Packages for other platforms are missing.
		if (!path.includes("node_modules/") || link || !existsSync(folder))
			continue;
		add(readManifest(folder), sendFolder(folder));
	}
	for (const { manifest, file } of tarballs)
		add(manifest, (response) =>
			pipeline(createReadStream(file), response, () => {}),
		);

	const server = createServer(({ url = "" }, response) => {
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
