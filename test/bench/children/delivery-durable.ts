import { serveCalls } from "../kit/child.ts";
import {
	CONNECTIONS,
	type DeliveryCalls,
	ENTITY,
} from "../kit/delivery-load.ts";
import { createSignedPost, type SignedPost } from "../kit/signed-post.ts";
import {
	type Claimed,
	openOutbox,
	type Result,
} from "./delivery-durable-outbox.ts";

/** The number of results written together, unless few requests are in flight. */
const SETTLED_TOGETHER = 128;
const CLAIMED_TOGETHER = 256;
const EMITTED_TOGETHER = 128;

/** Baseline 2: the best straightforward durable loop, with the same rows in batches and the same signed requests. */
const entity = JSON.stringify(ENTITY);
let outbox: ReturnType<typeof openOutbox>;
let post: SignedPost;

async function attempt(delivery: Claimed): Promise<Result> {
	const answer = await post(delivery, outbox.entityOf(delivery));
	return { id: delivery.id, ...answer };
}

/** Emits, claims, posts and records until `end`, then delivers the rest. Returns the number of deliveries. */
const deliverUntil = (end: number): Promise<number> =>
	new Promise((resolve) => {
		let delivered = 0;
		let flying = 0;
		let results: Result[] = [];
		const claimed: Claimed[] = [];

		const onResult = (result: Result) => {
			results.push(result);
			flying--;
			pump();
		};

		const pump = () => {
			if (
				results.length >= SETTLED_TOGETHER ||
				(results.length > 0 && flying < CONNECTIONS / 2)
			) {
				const batch = results;
				results = [];
				outbox.settle(batch);
				delivered += batch.length;
			}
			if (claimed.length < CONNECTIONS) {
				if (performance.now() < end) outbox.emit(entity, EMITTED_TOGETHER);
				claimed.push(...outbox.claim(CLAIMED_TOGETHER));
			}
			while (flying < CONNECTIONS) {
				const delivery = claimed.pop();
				if (!delivery) break;
				flying++;
				void attempt(delivery).then(onResult);
			}
			if (flying === 0 && results.length === 0) resolve(delivered);
		};
		pump();
	});

const calls: DeliveryCalls = {
	async open({ folder, origin }) {
		outbox = openOutbox(folder);
		post = createSignedPost(origin);
	},
	async run(seconds) {
		const startedAt = performance.now();
		const delivered = await deliverUntil(startedAt + seconds * 1000);
		return { delivered, seconds: (performance.now() - startedAt) / 1000 };
	},
};

serveCalls(calls);
