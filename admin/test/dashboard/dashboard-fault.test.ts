import { createMethods } from "@partnerwire/sdk";
import { expect, test } from "vitest";
import { asFault, toSentence } from "../../web/src/api/fault.ts";

test("the address of a page with an id that is none says so, instead of blaming the service", async () => {
	const api = createMethods(async () => ({}));
	const thrown: unknown = await api
		.getIntegration({ params: { integration_id: "nonsense" } })
		.catch((error: unknown) => error);
	const fault = asFault(thrown);
	expect(fault.code).toBe("validation_error");
	expect(toSentence(fault)).toContain("integration_id: must be a UUID");
});
