import { createOpenApi } from "@partnerwire/contract";
import type { H3 } from "h3";
import { readFixture } from "../service/fixtures.ts";

/** Serves the OpenAPI document, without a key (decisions §1: mounts). It is made when first asked for, and kept. */
export function serveOpenApi(app: H3): void {
	let json: string | undefined;
	app.get("/openapi.json", (event) => {
		json ??= JSON.stringify(createOpenApi(readFixture));
		event.res.headers.set("content-type", "application/json");
		return json;
	});
}
