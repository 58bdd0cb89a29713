import { EVENT_IDS } from "@partnerwire/wire";
import * as z from "zod";
import { defineAction } from "../../table/operation.ts";
import { EventIdSchema } from "../../table/references.ts";
import { onIntegration } from "./integration.ts";

/* Test webhooks, sent now and answered with the whole attempt. */

export const TestRequest = z.object({
	event_id: EventIdSchema,
	/** The body to send in place of the event's fixture. */
	payload: z.record(z.string(), z.unknown()).optional(),
	/** Keep the payload's uuid and timestamps: by default they are fresh. */
	exact: z.boolean().default(false),
});
export type TestRequest = z.infer<typeof TestRequest>;

/** The whole attempt of a test webhook, with token and secrets masked (docs/decisions.md#test-webhook). */
export const TestResult = z.object({
	delivered: z.boolean(),
	advice: z.string(),
	request: z.object({
		url: z.string(),
		headers: z.record(z.string(), z.string()),
		claims: z.record(z.string(), z.unknown()),
		body: z.string(),
	}),
	response: z
		.object({
			status: z.int(),
			headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
			body: z.string(),
		})
		.nullable(),
	failure: z
		.object({
			class: z.string(),
			stage: z.string(),
			code: z.string().nullable(),
			message: z.string(),
		})
		.nullable(),
	/** The IP address that was connected to, or that the URL names. */
	address: z.string().nullable(),
	/** Whether it was sent twice, because the first, kept-alive connection was dead. */
	retried_on_reset: z.boolean(),
	/** Milliseconds per phase; null for a phase that did not happen. */
	timings: z.object({
		dns_ms: z.number().nullable(),
		connect_ms: z.number().nullable(),
		tls_ms: z.number().nullable(),
		headers_ms: z.number().nullable(),
		body_ms: z.number().nullable(),
		total_ms: z.number(),
	}),
});
export type TestResult = z.infer<typeof TestResult>;

export const webhookTestOperations = {
	testIntegration: defineAction({
		...onIntegration,
		method: "POST",
		path: `${onIntegration.path}/test`,
		summary:
			"Send a test webhook now, paused or not, and answer with the whole attempt",
		body: TestRequest,
		response: TestResult,
		emits: EVENT_IDS,
	}),
};
