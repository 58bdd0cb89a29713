// Looks at PostgreSQL and its processes for the bench: what was stored, and the processor time that it took.
import { onDatabase } from "../../kit/database/database-client.ts";
import { expect } from "./expect.ts";
import { isCpuKnown, readCpuUs, readFamilyCpuUs } from "./process-cpu.ts";
import type { Contender } from "./rounds.ts";

/** Throws unless PostgreSQL has this number of rows of it. */
export const expectCount = (database: string, from: string, rows: number) =>
	onDatabase(database, async (client) => {
		const { rows: found } = await client.query(
			`select count(*)::int as total from ${from}`,
		);
		const [{ total }] = found;
		expect(total === rows, `${rows} were stored, but ${total} in ${from}`);
	});

/** The processor time of the service and the server during a contender's turns, without the first, which is the warm-up. */
export function meter({
	service,
	server,
}: {
	service: number;
	server: number;
}) {
	const used = { service: 0, server: 0, requests: 0 };
	let isWarm = false;
	return {
		around:
			(contender: Contender): Contender =>
			async (seconds) => {
				const before = [readCpuUs(service), readFamilyCpuUs(server)] as const;
				const rate = await contender(seconds);
				if (isWarm) {
					used.service += readCpuUs(service) - before[0];
					used.server += readFamilyCpuUs(server) - before[1];
					used.requests += rate * seconds;
				}
				isWarm = true;
				return rate;
			},
		show(): string {
			if (!isCpuKnown) return "not told by this system";
			const each = (us: number) => `${(us / used.requests).toFixed(0)} µs`;
			return `service ${each(used.service)}, PostgreSQL ${each(used.server)}`;
		},
	};
}
