import { join } from "node:path";
import { createTempFolder } from "../temp-folder.ts";
import { openLocalRegistry } from "./local-registry.ts";
import { installInto, packAll } from "./packed.ts";

/** Packs our packages, installs some of them into a new project, from a registry on this machine, and resolves to its folder. */
export async function installPacked(names: readonly string[]): Promise<string> {
	const folder = createTempFolder();
	const project = join(folder, "project");
	const registry = await openLocalRegistry(
		await packAll(join(folder, "packed")),
	);
	try {
		await installInto(project, names, registry.url);
	} finally {
		registry.close();
	}
	return project;
}
