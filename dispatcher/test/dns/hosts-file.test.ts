import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
	createHostsFile,
	parseHostsFile,
} from "../../src/http/dns/hosts-file.ts";

test("names are found whatever their case, the layout and the comments", () => {
	const text =
		"# 10.0.0.9 none\r\n127.0.0.1\tlocalhost\r\n\n  ::1 ip6-localhost  IP6-loopback # 10.0.0.8 nor\nfe80::1%lo0 crm.example";
	expect([...parseHostsFile(text)]).toEqual([
		"localhost",
		"ip6-localhost",
		"ip6-loopback",
		"crm.example",
	]);
});

test("a file that comes, changes or goes is followed", () => {
	const folder = mkdtempSync(join(tmpdir(), "partnerwire-hosts-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const path = join(folder, "hosts");
	const has = createHostsFile(path);
	expect(has("crm.example")).toBe(false);
	writeFileSync(path, "10.0.0.1 crm.example");
	expect([has("CRM.example"), has("other.example")]).toEqual([true, false]);
	writeFileSync(path, "10.0.0.1 another.example");
	expect([has("crm.example"), has("another.example")]).toEqual([false, true]);
	rmSync(path);
	expect(has("another.example")).toBe(false);
});
