import { ApiError } from "@partnerwire/contract";
import {
	type Core,
	endSession,
	findSession,
	openSession,
	parseInput,
	type Session,
	setUp,
} from "@partnerwire/core";
import type { H3Event } from "h3";
import { countedAddress } from "../http/counted-address.ts";
import { isEqual } from "../http/is-equal.ts";
import {
	type CreateLimit,
	type RateLimit,
	refuseExceeded,
	setRateHeaders,
} from "../http/rate-limit.ts";
import { readInput } from "../http/read-input.ts";
import type { OriginGuard } from "./origin-guard.ts";
import {
	csrfTokenOf,
	giveSessionCookie,
	readSessionCookie,
	takeSessionCookie,
} from "./session-cookie.ts";
import type { SetUpLink } from "./set-up-link.ts";
import { type SessionAnswer, type SignIn, signIn } from "./sign-in.ts";

export interface SessionsOptions {
	readonly guard: OriginGuard;
	readonly setUpLink?: SetUpLink | undefined;
	/** Sign-ins that may fail per address and minute; 0 switches the limit off. */
	readonly signInLimit: number;
	readonly createLimit: CreateLimit;
	/** Counts the requests of a key's sessions, apart from those of the key itself. */
	readonly countRequest: RateLimit;
	/** Counts an invalid cookie, and refuses an address that sends too many. */
	readonly refuseGuesses: (event: H3Event) => Promise<void>;
}

const unauthorized = (message: string) => new ApiError("unauthorized", message);

/** Signs browsers in and out, and finds the session of a request. */
export function createSessions(core: Core, options: SessionsOptions) {
	const { guard, countRequest } = options;
	const countSignIn = options.createLimit("sign-in", options.signInLimit);

	async function find(event: H3Event) {
		const value = readSessionCookie(event, guard.isSecure);
		const session =
			value && (await findSession(core.store.read, value, core.clock()));
		return session ? { value, session } : null;
	}

	/** Finds the session of a request. Refuses requests without one, and pages of other sites. */
	async function identify(event: H3Event) {
		guard.checkOrigin(event);
		const found = await find(event);
		if (!found) {
			if (readSessionCookie(event, guard.isSecure))
				await options.refuseGuesses(event);
			throw unauthorized("nobody is signed in, or the session has ended");
		}
		const { value } = found;
		const { method, headers } = event.req;
		const isChange = method !== "GET" && method !== "HEAD";
		const shown = headers.get("x-csrf-token") ?? "";
		if (isChange && !isEqual(shown, csrfTokenOf(value)))
			throw new ApiError(
				"forbidden",
				"the X-CSRF-Token header is missing or wrong",
			);
		return found;
	}

	/** Finds the session, and counts the request. Refuses it if the key's sessions have no requests left. */
	async function admit(event: H3Event) {
		const found = await identify(event);
		const { apiKeyUuid } = found.session.caller;
		const rate = await countRequest(`dashboard ${apiKeyUuid}`);
		setRateHeaders(event, rate);
		refuseExceeded(rate);
		return found;
	}

	const toAnswer = (session: Session, value: string): SessionAnswer => ({
		company: session.company,
		user: session.user,
		permissions: { read: session.caller.read, write: session.caller.write },
		csrf_token: csrfTokenOf(value),
		expires_at: new Date(session.expiresAt).toISOString(),
	});

	/** Starts a session and returns its cookie value: always a new one, never one that the browser sent. */
	async function begin(body: SignIn): Promise<string | null> {
		const nowMs = core.clock();
		if (body.api_key !== undefined) {
			const caller = await core.authenticate(body.api_key);
			if (!caller?.apiKeyUuid) return null;
			const { apiKeyUuid } = caller;
			// Each sign-in is a row of the audit log. Without a limit, even a read-only key could fill it.
			refuseExceeded(await countRequest(`sign-in ${apiKeyUuid}`), "sign-ins");
			return core.store.write((db) =>
				openSession(db, { ...caller, apiKeyUuid }, nowMs),
			);
		}
		if (!options.setUpLink?.accepts(body.link_token ?? "")) return null;
		const first = {
			companyName: body.company_name,
			email: body.email,
			firstName: body.first_name,
			lastName: body.last_name,
		};
		return core.store.write(async (db) =>
			openSession(db, await setUp(db, first, nowMs), nowMs),
		);
	}

	return {
		admit,

		async signIn(event: H3Event): Promise<SessionAnswer> {
			guard.checkOrigin(event);
			const address = countedAddress(event);
			// Counted first and forgotten on success, so that many at once do not get around the limit.
			refuseExceeded(await countSignIn(address), "failed sign-ins");
			const { body } = parseInput(signIn, await readInput(signIn, event));
			const value = await begin(body as SignIn);
			const { store, clock } = core;
			const session = value && (await findSession(store.read, value, clock()));
			if (!session) throw unauthorized("the API key or the link is not valid");
			await countSignIn.forget(address);
			const before = await find(event);
			if (before)
				await store.write((db) => endSession(db, before.session, clock()));
			giveSessionCookie(event, value, {
				secure: guard.isSecure,
				seconds: Math.floor((session.expiresAt - clock()) / 1000),
			});
			return toAnswer(session, value);
		},

		async show(event: H3Event): Promise<SessionAnswer> {
			const { session, value } = await admit(event);
			return toAnswer(session, value);
		},

		/** Not counted: signing out must always work. */
		async signOut(event: H3Event): Promise<{ success: true }> {
			const { session } = await identify(event);
			await core.store.write((db) => endSession(db, session, core.clock()));
			takeSessionCookie(event, guard.isSecure);
			return { success: true };
		},
	};
}
