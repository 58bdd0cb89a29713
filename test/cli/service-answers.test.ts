// The command line before a service that is older, or that is not there.
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { runPartnerwire } from "../kit/program/partnerwire.ts";

async function openService(ignored: string): Promise<string> {
	const server = createServer((_, response) => {
		response.setHeader("partnerwire-ignored", ignored);
		response.setHeader("content-type", "application/json");
		response.end(
			'{"data":[],"pagination":{"page":1,"per_page":100,"total":0,"total_pages":0}}',
		);
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	onTestFinished(() => void server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const list = (url: string, ...args: string[]) =>
	runPartnerwire(["integration", "list", "--url", url, ...args], {
		env: { PARTNERWIRE_API_KEY: "pwk_secret" },
	});

test("a member that the service ignores is a warning on standard error, and the command goes on", async () => {
	const url = await openService("query/per_page");
	const message =
		"the service does not know query/per_page of GET /v1/integrations, and ignored it: is it older than this command line?";
	const { code, stderr } = await list(url);
	expect([code, stderr]).toEqual([0, `${message}\n`]);
	const json = await list(url, "--json");
	expect([json.code, json.stdout, JSON.parse(json.stderr)]).toEqual([
		0,
		"",
		{ event: "warning", message },
	]);
});

test("a service that breaks the connection off is asked once", async () => {
	let connections = 0;
	const server = createTcpServer((socket) => {
		connections++;
		socket.once("data", () => socket.destroy());
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	onTestFinished(() => void server.close());
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const { code, stderr } = await list(url);
	expect([code, stderr]).toEqual([
		1,
		`partnerwire: ${url} cannot be reached: is the service running?\n`,
	]);
	expect(connections).toBe(1);
});

test("token inspect says that the secret is the integration's id", async () => {
	const secret = "01890a5d-ac96-774b-bcce-b302099a8057";
	const signed = await runPartnerwire(["token", "sign", "--json"], {
		env: { PARTNERWIRE_WEBHOOK_SECRET: "6f1c6a0e-4a2b-4c3d-8e5f-0123456789ab" },
	});
	const { token } = JSON.parse(signed.stdout);
	const { code, stderr } = await runPartnerwire(["token", "inspect", token], {
		env: { PARTNERWIRE_WEBHOOK_SECRET: secret },
	});
	expect([code, stderr]).toEqual([
		1,
		expect.stringMatching(
			/^partnerwire: the token is refused: SIGNATURE_INVALID\. The secret is a UUID of version 7: this is the integration's id, not its secret\./,
		),
	]);
	expect(stderr).not.toContain(secret);
});
