import { expect, test } from "vitest";
import {
	findAlerts,
	type LastAlerts,
} from "../../src/delivery/alerts/alert-rules.ts";
import type { Pulse } from "../../src/delivery/read-gauges.ts";

const NOW = 100_000_000;
const MINUTE = 60_000;
const LIMITS = { ageMs: 10 * MINUTE, everyMs: 60 * MINUTE };

const HEALTHY = {
	status: "active",
	pausedAt: null,
	pauseReason: null,
	failingSince: null,
	lastSuccessAt: NOW - MINUTE,
	oldestDue: null,
};
const FAILING = { failingSince: NOW - 5 };
const pausedBy = (pauseReason: string) => ({
	status: "paused",
	pausedAt: NOW - 5,
	pauseReason,
	failingSince: NOW - 500,
});
const OVERDUE = { oldestDue: NOW - 11 * MINUTE };

/** The newest alerts, in the order in which they were raised: how many minutes ago, and since when. */
const raised = (
	...alerts: [keyof LastAlerts, minutesAgo: number, sinceAt?: number][]
): LastAlerts =>
	Object.fromEntries(
		alerts.map(([kind, minutesAgo, sinceAt], at) => {
			const createdAt = NOW - minutesAgo * MINUTE;
			return [kind, { id: at + 1, createdAt, sinceAt: sinceAt ?? createdAt }];
		}),
	);

type Case = [what: string, pulse: object, last: LastAlerts, kinds: string[]];
const CASES: Case[] = [
	["all is well", {}, {}, []],
	["the first failure", FAILING, {}, ["failing"]],
	["it still fails", FAILING, raised(["failing", 500]), []],
	[
		"it fails again after a recovery, however soon",
		FAILING,
		raised(["failing", 2], ["recovered", 1]),
		["failing"],
	],
	["a success after a failure", {}, raised(["failing", 5]), ["recovered"]],
	[
		"a resume without a success is no recovery",
		{ lastSuccessAt: NOW - 90 * MINUTE },
		raised(["failing", 5]),
		[],
	],
	["never a success", { lastSuccessAt: null }, raised(["failing", 5]), []],
	[
		"a recovery soon after the last one waits",
		{},
		raised(["recovered", 59], ["failing", 5]),
		[],
	],
	[
		"a recovery some time after the last one",
		{},
		raised(["recovered", 60], ["failing", 5]),
		["recovered"],
	],
	["a recovery is told once", {}, raised(["failing", 9], ["recovered", 5]), []],
	["paused as gone", pausedBy("gone"), {}, ["paused"]],
	[
		"paused as failing",
		pausedBy("failing"),
		raised(["failing", 9]),
		["paused"],
	],
	["paused by hand", pausedBy("CRM upgrade"), {}, []],
	["that pause was told", pausedBy("gone"), raised(["paused", 0, NOW - 5]), []],
	[
		"paused again within the hour",
		pausedBy("gone"),
		raised(["paused", 30]),
		[],
	],
	[
		"paused again after the hour",
		pausedBy("gone"),
		raised(["paused", 60]),
		["paused"],
	],
	[
		"paused again after a recovery",
		pausedBy("gone"),
		raised(["paused", 3], ["recovered", 2]),
		["paused"],
	],
	["resumed, and delivered", {}, raised(["paused", 5]), ["recovered"]],
	["overdue", OVERDUE, {}, ["overdue"]],
	["due, not yet for long", { oldestDue: NOW - 10 * MINUTE }, {}, []],
	["planned", { oldestDue: NOW + 1 }, {}, []],
	["overdue, told within the hour", OVERDUE, raised(["overdue", 59]), []],
	["overdue for another hour", OVERDUE, raised(["overdue", 60]), ["overdue"]],
	[
		"overdue by a clock that is ahead, not by one that is behind",
		{ oldestDue: NOW - 9.5 * MINUTE },
		raised(["overdue", 5]),
		[],
	],
	["overdue no more", {}, raised(["overdue", 5]), ["recovered"]],
	["one of two is over", OVERDUE, raised(["failing", 9], ["overdue", 9]), []],
	["held ones are not overdue", { ...pausedBy("x"), ...OVERDUE }, {}, []],
	["both at once", { ...FAILING, ...OVERDUE }, {}, ["failing", "overdue"]],
];

test.each(CASES)("%s", (_, pulse, last, kinds) => {
	const found = findAlerts(
		{ ...HEALTHY, ...pulse } as Pulse,
		last,
		LIMITS,
		NOW,
	);
	expect(found.map(({ kind }) => kind)).toEqual(kinds);
});
