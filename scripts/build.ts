/*
 * The first part of `npm run build`: makes the packages' JavaScript, the command line and the documentation that the service
 * serves. `npm run typecheck` checks the types, and `npm run declarations` writes the declarations.
 */
import { join } from "node:path";
import { buildPackages } from "./build/build-packages.ts";
import { bundleCli } from "./build/bundle-cli.ts";

await buildPackages();
await bundleCli();
// Loaded only now, because it reads the operation table from the packages that were just built.
const { buildSite } = await import("./docs-site/build-site.ts");
buildSite(join(import.meta.dirname, "../admin/docs-dist"));
