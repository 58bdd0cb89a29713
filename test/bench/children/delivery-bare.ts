import { Pool } from "undici";
import { serveCalls } from "../kit/child.ts";
import {
	CONNECTIONS,
	type DeliveryCalls,
	ENTITY,
	encodeBody,
} from "../kit/delivery-load.ts";

/** Baseline 1: undici posts the same bytes. It stores nothing and signs nothing. */
const body = encodeBody(JSON.stringify(ENTITY));
const headers = {
	"content-type": "application/json",
	authorization: "Bearer x",
};
let pool: Pool;

const calls: DeliveryCalls = {
	async open({ origin }) {
		pool = new Pool(origin, { connections: CONNECTIONS });
	},
	async run(seconds) {
		const startedAt = performance.now();
		const end = startedAt + seconds * 1000;
		let delivered = 0;
		const post = async () => {
			while (performance.now() < end) {
				const response = await pool.request({
					path: "/hook",
					method: "POST",
					headers,
					body,
				});
				await response.body.dump();
				if (response.statusCode === 200) delivered++;
			}
		};
		await Promise.all(Array.from({ length: CONNECTIONS }, post));
		return { delivered, seconds: (performance.now() - startedAt) / 1000 };
	},
};

serveCalls(calls);
