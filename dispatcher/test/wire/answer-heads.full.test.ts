// The same answers to curl, so that what is said about it in docs/dispatcher.md#answers-that-other-clients-take stays true.
import { execFile } from "node:child_process";
import { expect, it } from "vitest";
import { listenRaw } from "#kit/endpoints/receivers.ts";
import { ANSWER_HEADS } from "../support/answer-heads.ts";

/** curl's exit code and the status that it saw. `Expect` is off, so that a 100 is unasked. */
const askCurl = (url: string) =>
	new Promise<string>((resolve) => {
		const words = ["-sS", "-o", "/dev/null", "-w", "%{http_code}", "-m", "1"];
		execFile(
			"curl",
			[...words, "-H", "expect:", "--data-binary", "{}", url],
			(error, out) => resolve(`${error?.code ?? 0} ${out}`),
		);
	});

it.each(ANSWER_HEADS.map((head) => [head.what, head] as const))(
	"curl and an answer with %s",
	async (_what, { bytes, isLast, status, curl }) => {
		const receiver = await listenRaw((socket) => {
			socket.write(Buffer.from(bytes, "latin1"));
			if (isLast) socket.end();
		});
		const took = await askCurl(receiver.url);
		if (curl) expect(took).toBe(`0 ${status ?? 200}`);
		else expect(took).not.toMatch(/^0 /);
	},
);
