import { randomUUID } from "node:crypto";
import { join } from "node:path";
import {
	type AttemptOutcome,
	type ClaimedDelivery,
	claimDue,
	createCipher,
	loadSecretKey,
	recordAttempts,
} from "@partnerwire/core";
import { createWire } from "@partnerwire/dispatcher";
import { seal } from "#built/dispatcher/sign/seal.js";
import { createSigners } from "#built/dispatcher/sign/signer.js";
import {
	createRequests,
	TOKEN_DEFAULTS,
} from "#built/dispatcher/worker/signed-requests.js";
import type { Calls as SinkCalls } from "./children/sink.ts";
import { openChild } from "./kit/child.ts";
import { type Company, emit, openCompany } from "./kit/company.ts";
import { CONNECTIONS } from "./kit/delivery-load.ts";
import { expect } from "./kit/expect.ts";
import type { Part, Row } from "./kit/report.ts";
import { median } from "./kit/rounds.ts";
import { inTempFolder } from "./kit/temp-folder.ts";

/** The number of deliveries of a round, and of those claimed and recorded together, as in a busy worker. */
const DELIVERIES = 2048;
const BATCH = 128;

/** Measures the parts of a delivery, in microseconds of wall time, with many deliveries one after the other. */
export const benchCost: Part = ({ quick }) =>
	inTempFolder(async (folder) => {
		const sink = openChild<SinkCalls>("./children/sink.ts");
		const wire = createWire({
			allowHttp: true,
			allowPrivate: true,
			connections: CONNECTIONS,
		});
		const origin = await sink.call("listen", undefined);
		const company = await openCompany(folder, `${origin}/hook`);
		const cipher = createCipher(
			loadSecretKey(join(folder, "ours.db"), undefined),
		);
		const signerOf = createSigners();
		const toRequest = createRequests(cipher, TOKEN_DEFAULTS);
		const times = {
			emit: [] as number[],
			claim: [] as number[],
			sign: [] as number[],
			post: [] as number[],
			settle: [] as number[],
		};
		const measure = async <Result>(
			part: keyof typeof times,
			work: () => Promise<Result> | Result,
		): Promise<Result> => {
			const startedAt = performance.now();
			const result = await work();
			const tookMs = performance.now() - startedAt;
			times[part].push((tookMs * 1000) / DELIVERIES);
			return result;
		};
		try {
			for (let round = 0; round < (quick ? 3 : 9); round++) {
				await measure("emit", () => emitAll(company));
				const claimed = await measure("claim", () => claimAll(company));
				const envelopes = await measure("sign", () =>
					claimed.map((delivery) => {
						const request = toRequest(delivery, Date.now());
						return seal(request, signerOf(request.secret));
					}),
				);
				await measure("post", () =>
					inParallel(envelopes, async (envelope) => {
						const { delivered } = await wire.attempt(envelope);
						expect(delivered, "an attempt failed");
					}),
				);
				await measure("settle", () => recordAll(company, claimed));
			}
			const names = {
				emit: `emit: event and delivery, ${BATCH} writes to a commit`,
				claim: `claim, ${BATCH} to a commit`,
				sign: "body, its hash, and the signed token",
				post: `POST to another process, ${CONNECTIONS} at a time`,
				settle: `settle: result, attempt, next of the lane, ${BATCH} to a commit`,
			};
			const rows: Row[] = Object.entries(names).map(([part, name]) => ({
				name,
				value: `${median(times[part as keyof typeof times]).toFixed(1)} µs`,
			}));
			return { rows };
		} finally {
			await wire.close();
			await company.service.close();
			await sink.close();
		}
	});

async function emitAll({ service, caller }: Company): Promise<void> {
	for (let made = 0; made < DELIVERIES; made += BATCH)
		await Promise.all(
			Array.from({ length: BATCH }, () => emit(service, caller)),
		);
}

async function claimAll({ service }: Company): Promise<ClaimedDelivery[]> {
	const claimed: ClaimedDelivery[] = [];
	while (claimed.length < DELIVERIES) {
		const more = await claimDue(service.store, {
			nowMs: Date.now(),
			limit: BATCH,
			leaseMs: 60_000,
		});
		expect(more.length > 0, "a claim found nothing");
		claimed.push(...more);
	}
	return claimed;
}

async function recordAll(
	{ service }: Company,
	claimed: readonly ClaimedDelivery[],
): Promise<void> {
	const nowMs = Date.now();
	const results = claimed.map(
		(delivery): AttemptOutcome => ({
			delivery,
			outcome: "delivered",
			nextAttemptAt: null,
			dueRule: null,
			passAt: null,
			pause: null,
			attempt: {
				startedAt: nowMs,
				durationMs: 2,
				status: 200,
				retriedOnReset: false,
				address: "127.0.0.1",
				responseHeaders: { "x-request-id": randomUUID() },
				responseBody: "{}",
			},
		}),
	);
	for (let at = 0; at < results.length; at += BATCH) {
		const taken = await recordAttempts(
			service.store,
			results.slice(at, at + BATCH),
			nowMs,
		);
		expect(taken === BATCH, `${taken} results of ${BATCH} were taken`);
	}
}

/** Works on the items, as many at a time as there are connections. */
async function inParallel<Item>(
	items: readonly Item[],
	work: (item: Item) => Promise<void>,
): Promise<void> {
	const left = items.values();
	const next = async () => {
		for (const item of left) await work(item);
	};
	await Promise.all(Array.from({ length: CONNECTIONS }, next));
}
