import { notFound } from "@partnerwire/contract";
import type { Core } from "@partnerwire/core";
import type { H3, H3Event } from "h3";
import type { Answering, Handle } from "../http/answering.ts";
import { serveOperations } from "../http/operation-routes.ts";
import { setSecurityHeaders } from "../http/security-headers.ts";
import { createOriginGuard, type OriginGuardOptions } from "./origin-guard.ts";
import { createSessions, type SessionsOptions } from "./sessions.ts";
import type { SetUpLink } from "./set-up-link.ts";
import { createStaticFiles, WEB_DIST } from "./static-files.ts";
import { createStreamHub, type StreamHubOptions } from "./stream/hub.ts";

export interface DashboardOptions
	extends OriginGuardOptions,
		Omit<StreamHubOptions, "onFault"> {
	readonly setUpLink?: SetUpLink | undefined;
	/** Sign-ins that may fail per address and minute; 0 switches the limit off. */
	readonly signInLimit?: number;
	/** The folder of the built pages. */
	readonly folder?: string;
	readonly onFault?: (error: unknown) => void;
}

/** The dashboard's part of the service: its files at `/`, and its API for signed-in users below `/_admin`. */
export interface Dashboard {
	serve(
		app: H3,
		answering: Answering,
		limits: Pick<
			SessionsOptions,
			"countRequest" | "createLimit" | "refuseGuesses"
		>,
	): void;
	/** Ends the streams. */
	close(): Promise<void>;
}

export function createDashboard(
	core: Core,
	options: DashboardOptions = {},
): Dashboard {
	const o = {
		signInLimit: 10,
		folder: WEB_DIST,
		onFault: () => {},
		...options,
	};
	const guard = createOriginGuard(o);
	const hub = createStreamHub(core, o);
	const answerFile = createStaticFiles(o.folder);

	return {
		serve(app, { guarded, observed }, limits) {
			const { setUpLink, signInLimit } = o;
			const sessions = createSessions(core, {
				...limits,
				guard,
				setUpLink,
				signInLimit,
			});
			const admit = async (event: H3Event) =>
				(await sessions.admit(event)).session.caller;

			const own = (handle: Handle) =>
				guarded((event) => {
					setSecurityHeaders(event);
					return handle(event);
				});
			/** Forbids caching of answers below `/_admin`. */
			const unkept = (handle: Handle) =>
				own((event) => {
					event.res.headers.set("cache-control", "no-store");
					return handle(event);
				});
			const unknown = unkept(async (event) => {
				await admit(event);
				throw notFound("route");
			});

			app
				.post("/_admin/session", unkept(sessions.signIn))
				.get("/_admin/session", unkept(sessions.show))
				.delete("/_admin/session", unkept(sessions.signOut))
				.get(
					"/_admin/stream",
					unkept(async (event) =>
						hub.open((await sessions.admit(event)).session),
					),
				);
			serveOperations(
				app,
				core,
				{ guarded: unkept, observed },
				{ prefix: "/_admin", admit },
			);
			app.all("/_admin/**", unknown);
			const file = own(async (event) => {
				guard.checkHost(event);
				return answerFile(event);
			});
			app.get("/**", file).head("/**", file);
		},
		close: () => hub.close(),
	};
}
