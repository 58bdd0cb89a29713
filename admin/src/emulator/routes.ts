import { ApiError, instant, notFound } from "@partnerwire/contract";
import { Seed, type Seeded } from "@partnerwire/core";
import { H3, type H3Event } from "h3";
import * as z from "zod";
import { createOriginGuard } from "../dashboard/origin-guard.ts";
import { createAnswering, type Handle } from "../http/answering.ts";
import { isLocal } from "../http/is-local.ts";
import { hasPlainPath, requireExactPath } from "../http/plain-path.ts";
import { readJsonBody } from "../http/read-input.ts";
import type { Settling } from "./advance.ts";
import type { EmulatorCore } from "./create-emulator.ts";
import { parseDuration } from "./duration.ts";
import { FaultRule } from "./fault-rules.ts";
import { HOOKS_PATH } from "./inbox-receiver.ts";
import { parseWith } from "./parse-with.ts";

export interface EmulatorAppOptions {
	/** The seed of a reset without a body. */
	readonly readSeed: () => Seed;
	readonly host: string;
	readonly onFault: (error: unknown) => void;
}

const At = z.strictObject({ at: instant() });
const MaybeAt = At.partial();
const Advance = z.strictObject({
	by: z.union([z.string(), z.number()]).transform((value, context) => {
		const ms = parseDuration(value);
		if (ms !== undefined) return ms;
		context.addIssue({
			code: "custom",
			message:
				"must be milliseconds, or an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as PT5M",
		});
		return z.NEVER;
	}),
});
const wholeNumber = (most: number) =>
	z
		.string()
		.regex(/^\d{1,6}$/, { error: "must be a whole number" })
		.transform(Number)
		.refine((value) => value <= most, { error: `must be at most ${most}` });
const InboxQuery = z.strictObject({
	name: z.string().optional(),
	event_id: z.string().optional(),
	distinct: z.enum(["true", "false"]).default("false"),
	wait: wholeNumber(10_000).default(0),
	timeout_ms: wholeNumber(60_000).default(5000),
});

const Nothing = z.strictObject({});

const toMs = (time: string) => Date.parse(time);

/** The emulator over HTTP: the service, and the controls for tests below `/_emulator`. */
export function createEmulatorApp(
	emulator: EmulatorCore,
	{ readSeed, host, onFault }: EmulatorAppOptions,
): H3 {
	const { clock, faults, entries } = emulator;
	const { guarded } = createAnswering(onFault, undefined);
	const guard = createOriginGuard({ host });

	/** `/_emulator` needs no key: every program on this machine may use it, but pages of other sites may not. */
	const local = (handle: Handle) =>
		guarded(async (event) => {
			if (!isLocal(event)) throw notFound("route");
			guard.checkOrigin(event);
			event.res.headers.set("cache-control", "no-store");
			return handle(event);
		});
	/** The keys are derived from the public seed, so they protect nothing. The API gets the same checks as `/_emulator`. */
	const checkService = (event: H3Event) => {
		if (!isLocal(event))
			throw new ApiError(
				"forbidden",
				"the emulator serves this machine alone, by the name localhost, 127.0.0.1 or ::1 and not through a proxy",
			);
		if (!isVisit(event)) guard.checkOrigin(event);
	};
	const service = guarded(async (event) => {
		checkService(event);
		return emulator.answer(event);
	});
	const body = async (event: H3Event) => (await readJsonBody(event.req)) ?? {};
	const readQuery = ({ url }: H3Event) => Object.fromEntries(url.searchParams);
	/** An unknown filter or an empty id must not remove everything. */
	const clearing = (clear: () => void) =>
		local(async (event) => {
			requireExactPath(event);
			parseWith(Nothing, readQuery(event), "query");
			parseWith(Nothing, await body(event));
			clear();
			return { success: true };
		});
	const toClock = (settling: Settling) => ({
		...clock.state(),
		settled: settling === "settled",
	});
	const toNumber = (event: H3Event) => Number(event.context.params?.id);

	const showInbox = async (event: H3Event) => {
		const query = parseWith(InboxQuery, readQuery(event), "query");
		const filter = {
			name: query.name,
			event_id: query.event_id,
			distinct: query.distinct === "true",
		};
		const data = await entries.wait(query.wait, query.timeout_ms, filter);
		return { data, complete: data.length >= query.wait };
	};

	const app = new H3({ allowMalformedURL: true });
	// An odd path goes to the service, which refuses it in its own order of checks.
	app.use((event, next) => (hasPlainPath(event) ? next() : service(event)));
	return app
		.get(
			"/_emulator",
			local(async () => ({
				...emulator.seeded(),
				clock: clock.state(),
				faults: faults.list().length,
				inbox: entries.list().length,
			})),
		)
		.post(
			"/_emulator/reset",
			local(async (): Promise<Seeded> => emulator.reset()),
		)
		.post(
			"/_emulator/seed",
			local(async (event) => {
				const newSeed = await readJsonBody(event.req);
				return emulator.reset(
					newSeed === undefined ? readSeed() : parseWith(Seed, newSeed),
				);
			}),
		)
		.get(
			"/_emulator/clock",
			local(async () => clock.state()),
		)
		.post(
			"/_emulator/clock/freeze",
			local(async (event) => {
				const { at } = parseWith(MaybeAt, await body(event));
				return toClock(
					await emulator.changeClock(() =>
						clock.freeze(at === undefined ? undefined : toMs(at)),
					),
				);
			}),
		)
		.post(
			"/_emulator/clock/set",
			local(async (event) => {
				const { at } = parseWith(At, await body(event));
				return toClock(await emulator.changeClock(() => clock.set(toMs(at))));
			}),
		)
		.post(
			"/_emulator/clock/advance",
			local(async (event) => {
				const { by } = parseWith(Advance, await body(event));
				return toClock(await emulator.advance(by));
			}),
		)
		.post(
			"/_emulator/clock/resume",
			local(async () => {
				await emulator.resume();
				return clock.state();
			}),
		)
		.get(
			"/_emulator/faults",
			local(async () => ({ data: faults.list() })),
		)
		.post(
			"/_emulator/faults",
			local(async (event) => {
				const rule = parseWith(FaultRule, await body(event));
				event.res.status = 201;
				return faults.add(rule);
			}),
		)
		.delete("/_emulator/faults", clearing(faults.clear))
		.delete(
			"/_emulator/faults/:id",
			local(async (event) => {
				if (!faults.remove(toNumber(event))) throw notFound("fault");
				return { success: true };
			}),
		)
		.get("/_emulator/inbox", local(showInbox))
		.delete("/_emulator/inbox", clearing(entries.clear))
		.get(
			"/_emulator/inbox/:id",
			local(async (event) => {
				const entry = entries.get(toNumber(event));
				if (!entry) throw notFound("inbox entry");
				return entry;
			}),
		)
		.all(
			`${HOOKS_PATH}**`,
			local(async (event) => {
				const name = event.url.pathname.slice(HOOKS_PATH.length);
				if (!/^[\w.-]{1,100}$/.test(name))
					throw new ApiError(
						"validation_error",
						"path: the name of an inbox has 1 to 100 letters, digits, dots, dashes and underscores",
					);
				return emulator.receive(name, event);
			}),
		)
		.all(
			"/_emulator/**",
			local(async () => {
				throw notFound("route");
			}),
		)
		.all("/**", service);
}

/** Whether somebody follows a link to a page here. A link sends no key along. */
const isVisit = ({ req }: H3Event): boolean =>
	req.method === "GET" &&
	req.headers.get("sec-fetch-mode") === "navigate" &&
	req.headers.get("sec-fetch-dest") === "document";
