import { existsSync } from "node:fs";
import {
	claimEmpty,
	isEmpty,
	isPostgresUrl,
	type ReplicaChange,
	type Seeded,
	seedCompany,
} from "@partnerwire/core";
import { createThreadedWire } from "@partnerwire/dispatcher";
import type { H3Event } from "h3";
import { readSeed } from "../assets/read-seed.ts";
import { createDashboard } from "../dashboard/dashboard.ts";
import type { SetUpLink } from "../dashboard/set-up-link.ts";
import { countedAddress } from "../http/counted-address.ts";
import { createMetricsApp } from "../http/metrics.ts";
import { createRateLimit, refuseExceeded } from "../http/rate-limit.ts";
import type { RateStore } from "../http/rate-store.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { createApp } from "../service/app.ts";
import { type Listening, listen } from "../service/listen.ts";
import { createLog } from "../service/log.ts";
import { createAttemptLog } from "../service/log-attempt.ts";
import { openService, type Service } from "../service/open-service.ts";
import { describeFault } from "./describe-fault.ts";
import { takeFault } from "./faults.ts";
import { toListenError } from "./listen/listen-error.ts";
import { maskPasswordOf } from "./output/mask-credentials.ts";
import type { Output } from "./output/output.ts";
import { writeError } from "./output/standard-streams.ts";
import { toAlertOptions } from "./settings/alert-options.ts";
import { readAuthorities } from "./settings/read-authorities.ts";
import type { Settings } from "./settings/settings.ts";
import { toDeliveryOptions } from "./settings/to-delivery-options.ts";
import { CommandError } from "./usage-error.ts";

/** Opens the service below HTTP, from the settings. Creates a missing database only with `mayCreate`. */
export async function openFromSettings(
	settings: Settings,
	{
		mayCreate,
		metrics,
		readsReplica = false,
	}: { mayCreate: boolean; metrics?: Metrics; readsReplica?: boolean },
): Promise<Service> {
	const { database, secretKey, allowHttp, allowPrivate, retrySchedule } =
		settings;
	const ca =
		settings.ca === undefined ? undefined : readAuthorities(settings.ca);
	if (!mayCreate && !isPostgresUrl(database) && !existsSync(database)) {
		throw new CommandError(
			`there is no database ${database}: create a company first with \`partnerwire company create NAME\``,
		);
	}
	const log = createLog(settings.logLevel, (line) => writeError(`${line}\n`));
	const logAttempt = createAttemptLog(log);
	const service = await openService({
		database,
		secretKey,
		allowHttp,
		allowPrivate,
		retrySchedule,
		...toDeliveryOptions(settings),
		allowedNetworks: settings.allowNetwork ?? [],
		ca,
		openWire: createThreadedWire,
		onAttempt(...attempt) {
			logAttempt(...attempt);
			metrics?.onAttempt(...attempt);
		},
		alerts: toAlertOptions(settings, log, metrics),
		...(metrics && {
			onBatch: metrics.onBatch,
			onLedgerChecked(unbalanced: number, nowMs: number) {
				metrics.onLedgerChecked(unbalanced, nowMs);
				if (unbalanced > 0)
					log("error", "the ledger does not add up", {
						integrations: unbalanced,
					});
			},
		}),
		onFault: takeFault,
		...(readsReplica && {
			onReplicaChange: ({ serves, ...members }: ReplicaChange) =>
				serves
					? log("info", "the read replica answers lists", members)
					: log("warn", "the primary answers lists: no read replica", members),
		}),
	});
	metrics?.watch(service);
	return service;
}

/** Opens the shared store of rate limits. A service that counts for itself does not load its libraries. */
async function openCounting(store: string): Promise<RateStore> {
	const { openRateStore } = await import("../http/rate-store.ts");
	return openRateStore(store, (error) =>
		takeFault(
			new Error(
				`the shared store of rate limits cannot be used, so this process counts for itself: ${maskPasswordOf(store, describeFault(error))}`,
			),
		),
	);
}

/** Serves HTTP, and delivers unless the settings say otherwise. A port in use becomes a one-sentence error. */
export async function startServing(
	service: Service,
	settings: Settings,
	metrics?: Metrics,
	setUpLink?: SetUpLink,
): Promise<Listening> {
	const { rateLimit, metricsToken, publicUrl, corsOrigin, database } = settings;
	const { host, port, trustProxy } = settings;
	const rateStore =
		settings.rateLimitStore ?? (isPostgresUrl(database) ? database : "memory");
	const counting =
		rateStore === "memory" ? null : await openCounting(rateStore);
	const createLimit = counting?.createLimit;
	const dashboard = createDashboard(service.core, {
		publicUrl,
		host,
		setUpLink,
		onFault: takeFault,
	});
	const app = createApp(service.core, {
		rateLimit,
		createLimit,
		metricsToken,
		corsOrigins: corsOrigin,
		...(metrics && { metrics }),
		dashboard,
		isWorkerTroubled: () => service.workerLoad().isTroubled,
		onFault: takeFault,
	});
	try {
		const { url, close } = await listen(app, {
			host,
			port,
			trustProxy,
			onFault: takeFault,
		});
		if (!settings.noWorker) service.startWorker();
		return {
			url,
			async close() {
				await dashboard.close();
				await close();
				await counting?.close();
			},
		};
	} catch (error) {
		throw toListenError(error, settings);
	}
}

/** Serves only the metrics, for a process that only delivers. A port in use becomes a one-sentence error. */
export async function serveMetricsAlone(
	metrics: Metrics,
	port: number,
	{ host, metricsToken }: Settings,
): Promise<Listening> {
	const count = createRateLimit(500);
	const onWrongToken = async (event: H3Event) =>
		refuseExceeded(
			await count(countedAddress(event)),
			"failed authentications",
		);
	const access = { token: metricsToken, onWrongToken };
	try {
		const app = createMetricsApp(metrics, access, takeFault);
		return await listen(app, { port, host, onFault: takeFault });
	} catch (error) {
		throw toListenError(error, { host, port });
	}
}

/** Seeds an empty database and reports it. Null if the database has a company already. */
export async function seedIfEmpty(
	service: Service,
	output: Output,
): Promise<Seeded | null> {
	if (!(await isEmpty(service.store.read))) return null;
	const seeded = await service.store.write(async (db) =>
		// Checked again inside the transaction: another process may have been first.
		(await claimEmpty(db))
			? seedCompany(db, readSeed(), service.core.clock())
			: null,
	);
	if (!seeded) return null;
	const { read, write, full } = seeded.keys;
	output.say(
		{ event: "seeded", ...seeded },
		[
			"Seeded a company to try. Its API keys, shown only now:",
			`  read   ${read}`,
			`  write  ${write}`,
			`  full   ${full}`,
		].join("\n"),
	);
	return seeded;
}
