import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import type { InboxStats } from "@partnerwire/receiver";
import { signedRequest } from "@partnerwire/receiver/testing";
import { expect } from "vitest";

export interface KillPlan {
	program: string;
	/** A file or a URL. */
	at: string;
	/** A file to which the handlers write what they did. */
	ledger: string;
	processes: number;
	events: number;
	/** The number of acknowledged events after which a process is killed. */
	killEvery: number;
	stats(): Promise<InboxStats>;
}

interface Peer {
	child: ChildProcess;
	port: number;
}

async function start({ program, at, ledger }: KillPlan): Promise<Peer> {
	const child = fork(program, [at, ledger], { execArgv: [] });
	const [port] = (await once(child, "message")) as [number];
	return { child, port };
}

async function send(port: number, request: Request): Promise<number> {
	try {
		const response = await fetch(`http://127.0.0.1:${port}/hook`, {
			method: "POST",
			headers: request.headers,
			body: await request.clone().arrayBuffer(),
		});
		await response.arrayBuffer();
		return response.status;
	} catch {
		return 0;
	}
}

/**
 * Sends events to processes that are killed repeatedly. Each event is sent until it is acknowledged, as the sender does. In the end all
 * acknowledged events must be handled, and none may be left over.
 */
export async function killWhileReceiving(plan: KillPlan): Promise<void> {
	writeFileSync(plan.ledger, "");
	const peers = await Promise.all(
		Array.from({ length: plan.processes }, () => start(plan)),
	);
	const ids: string[] = [];
	let acknowledged = 0;
	let kills = 0;
	try {
		for (let index = 0; index < plan.events; index++) {
			const jti = `event-${index}`;
			const request = await signedRequest({
				claims: { jti, sequence: index + 1 },
				body: {
					lead: { uuid: `lead-${index % 7}`, n: index },
					configuration: [],
				},
			});
			for (let attempt = index; ; attempt++) {
				const slot = attempt % peers.length;
				const { child, port } = peers[slot] as Peer;
				const isTime = acknowledged >= (kills + 1) * plan.killEvery;
				const answer = send(port, request);
				if (isTime) {
					kills++;
					// While the request is in flight.
					child.kill("SIGKILL");
					await once(child, "exit");
					peers[slot] = await start(plan);
				}
				if ((await answer) === 200) break;
			}
			ids.push(jti);
			acknowledged++;
		}
		while ((await plan.stats()).done < plan.events)
			await new Promise(setImmediate);
	} finally {
		for (const { child } of peers) child.kill("SIGKILL");
	}
	const ran = readFileSync(plan.ledger, "utf8").trim().split("\n");
	expect(ids.filter((id) => !ran.includes(id))).toEqual([]);
	expect(await plan.stats()).toEqual({
		pending: 0,
		processing: 0,
		done: plan.events,
		dead: 0,
		oldestAgeMs: null,
	});
	expect(kills).toBeGreaterThan(1);
	// An event ran again only if a kill interrupted it, or if the machine was too busy to renew a lease.
	expect(ran.length - plan.events).toBeLessThan(plan.events);
}
