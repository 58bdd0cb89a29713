/**
 * Writes the SDK's routes from the operation table: a client needs no schemas at run time.
 * Usage: npm run sdk:routes
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toRoutesFile } from "./sdk-routes/to-routes-file.ts";

writeFileSync(
	join(import.meta.dirname, "../shared/sdk/src/routes.generated.ts"),
	toRoutesFile(),
);
