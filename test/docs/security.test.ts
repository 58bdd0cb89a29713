import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Receiver } from "@partnerwire/receiver";
import { signedRequest } from "@partnerwire/receiver/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { blocksOf } from "../kit/code-blocks.ts";

test("the receiver of docs/security.md takes both secrets, and no third", async () => {
	const [block] = blocksOf("docs/security.md");
	// In this folder, so that the block finds the workspace's packages.
	const folder = mkdtempSync(join(import.meta.dirname, ".security-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const secrets = [randomUUID(), randomUUID()];
	vi.stubEnv("PARTNERWIRE_WEBHOOK_SECRET", secrets[0]);
	vi.stubEnv("PARTNERWIRE_NEXT_WEBHOOK_SECRET", secrets[1]);
	onTestFinished(() => {
		vi.unstubAllEnvs();
	});
	writeFileSync(join(folder, "block.ts"), block?.code ?? "");
	const { receiver } = (await import(
		/* @vite-ignore */ join(folder, "block.ts")
	)) as { receiver: Receiver };
	const statuses = [];
	for (const secret of [...secrets, randomUUID()])
		statuses.push(
			(await receiver.fetch(await signedRequest({ secret }))).status,
		);
	expect(statuses).toEqual([200, 200, 401]);
});
