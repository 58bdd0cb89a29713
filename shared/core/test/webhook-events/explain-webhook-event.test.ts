// The explanations of why a delivery is where it is (docs/operating.md).

import { expect, test } from "vitest";
import type { WebhookEventRow } from "../../src/delivery/emit/webhook-event-view.ts";
import {
	type Blocker,
	explainWebhookEvent,
} from "../../src/webhook-events/explain-webhook-event.ts";

const NOW = Date.UTC(2026, 10, 27, 12);
const HOUR = 3_600_000;
const LATER = "2026-11-27T13:00:00.000Z";
const BEFORE = "2026-11-27T11:00:00.000Z";
const REFUSAL = "the answer was 500";

const ROW = {
	state: "pending",
	ready: true,
	passed: false,
	outOfOrder: false,
	attempts: 0,
	attemptsBefore: 0,
	dueAt: NOW,
	dueRule: null,
	leaseUntil: null,
	workerId: null,
	lastError: null,
	finishedAt: null,
};
const INTEGRATION = {
	status: "active",
	pauseReason: null,
	pausedAt: null,
	releaseUntil: null,
	releaseRate: null,
	maxPerSecond: null,
	purgedTo: 0,
	deletedAt: null,
};
const HEAD: Blocker = {
	uuid: "head",
	sequence: 7,
	state: "pending",
	attempts: 0,
	attemptsBefore: 0,
	dueAt: NOW,
	passAt: null,
};

interface Case {
	row?: object;
	integration?: object;
	blocker?: Partial<Blocker>;
	says: string;
}

const ended = (state: string, row: object = {}) => ({
	state,
	ready: false,
	finishedAt: NOW - HOUR,
	...row,
});
const retried = (dueRule: string, row: object = {}) => ({
	attempts: 2,
	lastError: REFUSAL,
	dueAt: NOW + HOUR,
	dueRule,
	...row,
});
const paused = (pauseReason: string) => ({
	status: "paused",
	pauseReason,
	pausedAt: NOW - HOUR,
});
const GONE = { deletedAt: NOW };
const BEHIND = "delivery head (number 7) of the same record";
const UNTIL = "it goes once that one is finished or skipped";

const CASES: Record<string, Case> = {
	delivered: {
		row: ended("delivered", { attempts: 1 }),
		says: `Delivered at ${BEFORE} with attempt 1; nothing more happens unless it is redelivered.`,
	},
	"delivered out of order": {
		row: ended("delivered", { attempts: 3, outOfOrder: true }),
		says: `Delivered at ${BEFORE} with attempt 3, out of order; nothing more happens unless it is redelivered.`,
	},
	"delivered, its integration deleted": {
		row: ended("delivered", { attempts: 1 }),
		integration: GONE,
		says: `Delivered at ${BEFORE} with attempt 1; its integration was deleted since.`,
	},
	"failed, exhausted": {
		row: ended("failed", { attempts: 10, lastError: REFUSAL }),
		says: `Given up at ${BEFORE} after 10 attempts: ${REFUSAL}; it is kept and can be redelivered.`,
	},
	"failed at once, 410": {
		row: ended("failed", { attempts: 1, lastError: "the answer was 410." }),
		says: `Given up at ${BEFORE} after 1 attempt: the answer was 410; it is kept and can be redelivered.`,
	},
	"failed, too large": {
		row: ended("failed", { lastError: "the payload is too large" }),
		says: "Never sent: the payload is too large; it is kept, and nothing more happens.",
	},
	"failed, its integration deleted": {
		row: ended("failed", { attempts: 2, lastError: REFUSAL }),
		integration: GONE,
		says: `Given up at ${BEFORE} after 2 attempts: ${REFUSAL}; its integration was deleted, so it cannot be redelivered.`,
	},
	"dropped, skipped by hand": {
		row: ended("dropped", { lastError: "it was skipped by hand" }),
		says: `Dropped at ${BEFORE}: it was skipped by hand; it is kept and can be redelivered.`,
	},
	"dropped, its integration deleted": {
		row: ended("dropped", { lastError: "the integration was deleted" }),
		integration: GONE,
		says: `Dropped at ${BEFORE}: the integration was deleted; its integration was deleted, so it cannot be redelivered.`,
	},
	held: {
		integration: paused("CRM upgrade."),
		says: `Held: the integration has been paused since ${BEFORE} (CRM upgrade); attempt 1 follows a resume.`,
	},
	"held by the service's own pause, between attempts": {
		row: retried("schedule"),
		integration: paused("failing"),
		says: `Held: the integration has been paused since ${BEFORE} (failing); attempt 3 follows a resume.`,
	},
	"held, behind another": {
		row: { ready: false },
		integration: paused("manual"),
		blocker: {},
		says: `Held: the integration has been paused since ${BEFORE} (manual); attempt 1 follows a resume, after ${BEHIND}.`,
	},
	delivering: {
		row: { state: "delivering", attempts: 1, leaseUntil: NOW + HOUR },
		says: `Attempt 2 is under way; should its worker die, the delivery returns to the queue at ${LATER}, when its lease ends.`,
	},
	"delivering under a worker's lock": {
		row: { state: "delivering", leaseUntil: NOW + HOUR, workerId: 7 },
		says: `Attempt 1 is under way; should its worker die, the delivery returns to the queue within seconds, at the latest at ${LATER}, when its lease ends.`,
	},
	"delivering while paused": {
		row: { state: "delivering", leaseUntil: NOW + HOUR },
		integration: paused("manual"),
		says: `Attempt 1 is under way; should its worker die, the delivery returns to the queue at ${LATER}, when its lease ends.`,
	},
	due: { says: "It is due: the next free worker makes attempt 1." },
	"due again": {
		row: retried("schedule", { dueAt: NOW }),
		says: "It is due: the next free worker makes attempt 3.",
	},
	"planned, never attempted": {
		row: { dueAt: NOW + HOUR },
		says: `It is planned: attempt 1 is made at ${LATER}.`,
	},
	"after a failure, by the schedule": {
		row: retried("schedule"),
		says: `The last attempt failed: ${REFUSAL}; attempt 3 is made at ${LATER}, by the retry schedule.`,
	},
	"after a failure, Retry-After": {
		row: retried("retry_after"),
		says: `The last attempt failed: ${REFUSAL}; attempt 3 is made at ${LATER}, because the endpoint asked for that time (Retry-After).`,
	},
	"after a failure, overload": {
		row: retried("overload_floor"),
		says: `The last attempt failed: ${REFUSAL}; attempt 3 is made at ${LATER}, because an endpoint that is overloaded or silent is left alone for 60 s.`,
	},
	"after a failure, passed": {
		row: retried("schedule", { passed: true }),
		says: `The last attempt failed: ${REFUSAL}; attempt 3 is made at ${LATER}, by the retry schedule; later deliveries of its record do not wait for it.`,
	},
	"released after a resume": {
		integration: { releaseUntil: 9, releaseRate: 50 },
		says: "It is due: the integration was resumed and sends what it held, 50 a second, so attempt 1 follows in its turn.",
	},
	"released after a resume, slower": {
		integration: { releaseUntil: 9, releaseRate: 50, maxPerSecond: 20 },
		says: "It is due: the integration was resumed and sends what it held, 20 a second, so attempt 1 follows in its turn.",
	},
	"due, within max_per_second": {
		integration: { maxPerSecond: 20 },
		says: "It is due: the next free worker makes attempt 1, within the 20 a second that the integration takes.",
	},
	redelivered: {
		row: { attempts: 1, attemptsBefore: 1 },
		says: "Given back to the queue after 1 attempt, it is due: the next free worker makes attempt 2.",
	},
	"redelivered late": {
		row: { attempts: 10, attemptsBefore: 10, passed: true, outOfOrder: true },
		says: "Given back to the queue after 10 attempts, it is due: the next free worker makes attempt 11; later deliveries of its record do not wait for it.",
	},
	"redelivered, behind another": {
		row: { attempts: 2, attemptsBefore: 2, ready: false },
		blocker: {},
		says: `Given back to the queue after 2 attempts, it waits for ${BEHIND}, which is due; ${UNTIL}.`,
	},
	"redelivered, and failed again": {
		row: retried("schedule", { attempts: 11, attemptsBefore: 10 }),
		says: `The last attempt failed: ${REFUSAL}; attempt 12 is made at ${LATER}, by the retry schedule.`,
	},
	"behind one that is due": {
		row: { ready: false },
		blocker: {},
		says: `It waits for ${BEHIND}, which is due; ${UNTIL}.`,
	},
	"behind one that failed once": {
		row: { ready: false },
		blocker: { attempts: 1, dueAt: NOW + HOUR, passAt: NOW + HOUR },
		says: `It waits for ${BEHIND}, which has failed once and is tried again at ${LATER}; ${UNTIL}, or at ${LATER} at the latest.`,
	},
	"behind one that was redelivered and failed twice": {
		row: { ready: false },
		blocker: { attempts: 12, attemptsBefore: 10, state: "delivering" },
		says: `It waits for ${BEHIND}, which has failed 2 times and is under way; ${UNTIL}.`,
	},
	"behind one under way": {
		row: { ready: false },
		blocker: { state: "delivering" },
		says: `It waits for ${BEHIND}, which is under way; ${UNTIL}.`,
	},
	"behind one that has just ended": {
		row: { ready: false },
		says: "It waits for its turn in the order of its record.",
	},
};

test.each(Object.entries(CASES))(
	"%s",
	(_, { row, integration, blocker, says }) => {
		const found = {
			row: { ...ROW, ...row },
			integration: { ...INTEGRATION, ...integration },
		} as WebhookEventRow;
		const before = blocker ? { ...HEAD, ...blocker } : null;
		expect(explainWebhookEvent(found, before, NOW)).toBe(says);
	},
);
