import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { CommandError } from "../usage-error.ts";

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads a PEM file of certificates. Throws if it has none: TLS would silently ignore such a file. */
export function readAuthorities(path: string): string {
	const pem = readPem(path);
	const blocks = pem.match(BLOCK) ?? [];
	try {
		for (const block of blocks) new X509Certificate(block);
	} catch {
		throw new CommandError(
			`--ca ${path} holds a certificate that is not valid PEM`,
		);
	}
	if (blocks.length === 0)
		throw new CommandError(`--ca ${path} holds no PEM certificate`);
	return pem;
}

function readPem(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		throw new CommandError(`--ca ${path} cannot be read`);
	}
}
