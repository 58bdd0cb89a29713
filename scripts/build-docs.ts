/* Part of `npm run build`: builds the documentation that the service serves at `/docs`. */
import { join } from "node:path";
import { buildSite } from "./docs-site/build-site.ts";

buildSite(join(import.meta.dirname, "../admin/docs-dist"));
