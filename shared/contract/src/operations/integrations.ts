import { EVENT_IDS } from "@partnerwire/wire";
import { z } from "zod";
import {
	Integration,
	IntegrationCreate,
	IntegrationUpdate,
	IntegrationWithSecret,
	ResumePreview,
	RevealedSecret,
	TestRequest,
	TestResult,
} from "../resources/webhooks/integration.ts";
import {
	WebhookUrlProbe,
	WebhookUrlProbeRequest,
} from "../resources/webhooks/webhook-url-probe.ts";
import {
	pageOf,
	pageQuery,
	queryBoolean,
	queryInteger,
	querySearch,
} from "../table/list-query.ts";
import { defineAction, defineRead, defineWrite } from "../table/operation.ts";
import { Success } from "../table/params.ts";
import { instant, text } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";

const group = "Integrations";
/** The default rate of held deliveries after a resume, per second (docs/decisions.md#resume). */
export const RELEASE_PER_SECOND = 50;
/** `integration_id` is a public uuid, not the signing secret. */
const params = z.object({ integration_id: Uuid });
/** These paths have a prefix of their own, not `/v1` (docs/decisions.md#mounts). */
const management = "/api/v1/integrations/{integration_id}";

/** The schema of a body that may be missing. */
const optionalBody = <
	Shape extends Record<string, z.ZodOptional | z.ZodDefault>,
>(
	shape: Shape,
) =>
	// The cast is true because no member is mandatory. TypeScript cannot tell that of a type parameter.
	z.object(shape).prefault({} as never);

export const integrationOperations = {
	listIntegrations: defineRead({
		group,
		path: "/v1/integrations",
		summary: "List the integrations",
		query: z.object({
			...pageQuery,
			search: querySearch().optional(),
			status: z.enum(["active", "paused"]).optional(),
			/** Only those that need a look: paused by the service, or failing since their last success. */
			attention: queryBoolean().default(false),
		}),
		response: pageOf(Integration),
	}),
	createIntegration: defineWrite({
		group,
		method: "POST",
		path: "/v1/integrations",
		summary: "Create an integration; its signing secret is answered here",
		body: IntegrationCreate,
		response: IntegrationWithSecret,
		status: 201,
		secret: true,
	}),
	deleteIntegration: defineWrite({
		group,
		method: "DELETE",
		path: "/v1/integrations/{integration_id}",
		summary: "Delete an integration; with pending deliveries only when forced",
		params,
		query: z.object({ force: queryBoolean().default(false) }),
		exact: true,
		response: Success,
	}),
	getIntegration: defineRead({
		group,
		path: management,
		summary: "Get an integration",
		params,
		response: Integration,
	}),
	updateIntegration: defineWrite({
		group,
		method: "PATCH",
		path: management,
		summary: "Update an integration",
		params,
		body: IntegrationUpdate,
		response: Integration,
	}),
	pauseIntegration: defineWrite({
		group,
		method: "POST",
		path: `${management}/pause`,
		summary: "Pause an integration: its deliveries are held, not lost",
		params,
		body: optionalBody({ reason: text().nullable().optional() }),
		response: Integration,
	}),
	resumeIntegration: defineWrite({
		group,
		method: "POST",
		path: `${management}/resume`,
		summary:
			"Resume an integration: held deliveries go out in order, at a bounded rate",
		params,
		body: optionalBody({
			rate_per_second: z.int().min(1).max(10_000).optional(),
		}),
		exact: true,
		response: Integration,
	}),
	previewIntegrationResume: defineRead({
		group,
		path: `${management}/resume-preview`,
		summary: "Preview what a resume will release, and how long that takes",
		params,
		query: z.object({
			rate_per_second: queryInteger("rate_per_second", {
				maximum: 10_000,
			}).default(RELEASE_PER_SECOND),
		}),
		response: ResumePreview,
	}),
	testIntegration: defineAction({
		group,
		method: "POST",
		path: `${management}/test`,
		summary:
			"Send a test webhook now, paused or not, and answer with the whole attempt",
		params,
		body: TestRequest,
		response: TestResult,
		emits: EVENT_IDS,
	}),
	rotateIntegrationSecret: defineWrite({
		group,
		method: "POST",
		path: `${management}/rotate-secret`,
		summary: "Rotate the signing secret; until the cutover the old one signs",
		params,
		body: optionalBody({
			/** Not in the past. If it is left out, the new secret signs at once. */
			cutover_at: instant().optional(),
			/** Replaces a rotation that is already planned. Receivers may have its secret already: it will never sign. */
			replace: z.boolean().default(false),
		}),
		exact: true,
		response: IntegrationWithSecret,
		secret: true,
	}),
	cancelIntegrationRotation: defineWrite({
		group,
		method: "POST",
		path: `${management}/cancel-rotation`,
		summary: "Cancel a planned rotation: the old secret goes on signing",
		params,
		response: Integration,
	}),
	revealIntegrationSecret: defineWrite({
		group,
		method: "POST",
		path: `${management}/reveal-secret`,
		summary: "Reveal the signing secret; the audit log says who did",
		params,
		response: RevealedSecret,
		secret: true,
		// A replayed answer could show an old secret, and would leave no entry in the audit log.
		replayed: false,
	}),
	probeWebhookUrl: defineAction({
		group,
		method: "POST",
		path: "/v1/webhook-url-probes",
		summary:
			"Check a webhook URL now: its form, name, address, certificate and whether it answers",
		body: WebhookUrlProbeRequest,
		response: WebhookUrlProbe,
	}),
};
