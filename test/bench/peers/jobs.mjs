// The work that all job queues share: deliver the webhooks of one drain, and wait until the queue has stored that they are done.
import { setTimeout as sleep } from "node:timers/promises";
import { newUuid } from "@partnerwire/core";
import { ENTITY } from "../kit/delivery-load.ts";
import { createSignedPost } from "../kit/signed-post.ts";

const entity = JSON.stringify(ENTITY);

/** The payloads of so many jobs. */
export const toPayloads = (rows) =>
	Array.from({ length: rows }, (_, index) => ({
		uuid: newUuid(Date.now()),
		sequence: index + 1,
		entity,
	}));

/** Calls `add` with parts of the payloads, because no queue takes all of them at once. */
export async function addInParts(payloads, add) {
	for (let at = 0; at < payloads.length; at += 1000)
		await add(payloads.slice(at, at + 1000));
}

export function createJobs(origin) {
	const post = createSignedPost(origin);
	let startedAt = 0;
	let left = 0;
	let onAll;
	return {
		/** Delivers the webhook of one job. */
		async deliver({ uuid, sequence, entity }) {
			startedAt ||= performance.now();
			await post({ uuid, sequence }, entity);
			if (--left === 0) onAll();
		},
		/** Resolves to the seconds from the first request until every job is stored as done. A queue's start is not counted. */
		async time(rows, isStored) {
			startedAt = 0;
			left = rows;
			await new Promise((resolve) => {
				onAll = resolve;
			});
			while (!(await isStored())) await sleep(5);
			return (performance.now() - startedAt) / 1000;
		},
	};
}
