import { createRequire } from "node:module";
import { ReceiverConfigError } from "../common/config-error.ts";

/** Loads a driver that is an optional peer dependency. If it is missing, the error says what to install. */
export function loadDriver(name: string, who: string): unknown {
	try {
		return createRequire(import.meta.url)(name);
	} catch (error) {
		if ((error as { code?: unknown }).code !== "MODULE_NOT_FOUND") throw error;
		throw new ReceiverConfigError(
			"CONFIG_STORE",
			`${who} needs ${name}: run npm install ${name}.`,
		);
	}
}
