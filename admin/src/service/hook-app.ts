import type { Receiver } from "@partnerwire/receiver";
import { toH3Handler } from "@partnerwire/receiver/h3";
import { H3 } from "h3";

export interface ForwardAnswer {
	readonly status: number | null;
	readonly error: string | null;
}

export interface HookAppOptions {
	/** Answers verified events with this status instead of 200. */
	readonly status?: number | undefined;
	/** Sends verified requests on, and answers what that receiver answered. */
	readonly forward?: string | undefined;
	readonly onForward?: (answer: ForwardAnswer) => void;
}

/** A receiver as an app at any path, with the detours that local work needs. */
export function createHookApp(
	receiver: Receiver,
	options: HookAppOptions = {},
): H3 {
	const { forward, status } = options;
	const verified = toH3Handler(receiver);
	const app = new H3();
	if (forward === undefined) {
		return app.all("/**", async (event) => {
			const answer = await verified(event);
			const isReplaced = status !== undefined && answer.status === 200;
			const hasBody = status === undefined || ![204, 205, 304].includes(status);
			return isReplaced
				? new Response(hasBody ? await answer.text() : null, {
						status,
						headers: answer.headers,
					})
				: answer;
		});
	}
	return app.all("/**", async (event) => {
		const { method, headers } = event.req;
		const body = method === "POST" ? await event.req.arrayBuffer() : null;
		const answer = await receiver.fetch(
			new Request(event.url, { method, headers, body }),
		);
		if (answer.status !== 200) return answer;
		return passOn(forward, headers, body, options.onForward);
	});
}

async function passOn(
	url: string,
	headers: Headers,
	body: ArrayBuffer | null,
	onForward: HookAppOptions["onForward"],
): Promise<Response> {
	const kept = ["authorization", "content-type", "user-agent"].flatMap(
		(name) => {
			const value = headers.get(name);
			return value === null ? [] : [[name, value] as [string, string]];
		},
	);
	try {
		const answer = await fetch(url, {
			method: "POST",
			headers: kept,
			body,
			redirect: "manual",
		});
		onForward?.({ status: answer.status, error: null });
		return new Response(await answer.arrayBuffer(), { status: answer.status });
	} catch (error) {
		onForward?.({
			status: null,
			error: error instanceof Error ? error.message : "the request failed",
		});
		return new Response(null, { status: 502 });
	}
}
