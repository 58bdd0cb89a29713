import { describe, expect, test } from "vitest";
import {
	graphOf,
	type Import,
	importsOf,
	isTypeScript,
	listFiles,
	PACKAGES,
	packageOf,
	readSource,
	sourcesOf,
} from "./kit/sources.ts";

type Name = keyof typeof PACKAGES;

const importsIn = (name: Name) => sourcesOf(name).flatMap(importsOf);
const isOwnFile = ({ to }: Import) => isTypeScript(to);
const show = ({ from, to }: Import) => `${from} → ${to}`;

/** The packages of the project that each package may import (docs/architecture.md#packages). */
const ARROWS: Record<Name, readonly string[]> = {
	wire: [],
	contract: ["@partnerwire/wire"],
	core: ["@partnerwire/wire", "@partnerwire/contract"],
	sdk: ["@partnerwire/contract"],
	dispatcher: [
		"@partnerwire/wire",
		"@partnerwire/contract",
		"@partnerwire/core",
	],
	receiver: ["@partnerwire/wire"],
	admin: [
		"@partnerwire/wire",
		"@partnerwire/contract",
		"@partnerwire/core",
		"@partnerwire/sdk",
		"@partnerwire/dispatcher",
		"@partnerwire/receiver",
	],
};
const FIXTURES = "@partnerwire/fixtures";

const names = Object.keys(PACKAGES) as Name[];

describe.each(names)("%s", (name) => {
	const imports = importsIn(name);

	test("has sources, and they import something", () => {
		expect(imports.length).toBeGreaterThan(2);
	});

	test("its arrows to other packages point one way", () => {
		const wrong = imports.filter(
			({ to }) =>
				/^(@partnerwire\/|partnerwire)/.test(to) &&
				![...ARROWS[name], FIXTURES].includes(packageOf(to)),
		);
		expect(wrong.map(show)).toEqual([]);
	});

	test("its relative imports stay within its sources", () => {
		const folder = `${PACKAGES[name]}/src/`;
		const wrong = imports.filter(
			(one) => isOwnFile(one) && !one.to.startsWith(folder),
		);
		expect(wrong.map(show)).toEqual([]);
	});

	test("it imports only what its package.json declares", () => {
		const manifest = JSON.parse(
			readSource(`${PACKAGES[name]}/package.json`),
		) as Record<string, Record<string, string> | undefined>;
		const declared = (...kinds: string[]) =>
			new Set(kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {})));
		const atRunTime = declared("dependencies", "peerDependencies");
		const forTypes = declared("devDependencies");
		const wrong = imports.filter((one) => {
			if (isOwnFile(one) || /^(node:|#)/.test(one.to)) return false;
			const of = packageOf(one.to);
			const isKnown = atRunTime.has(of) || (one.isTypeOnly && forTypes.has(of));
			return !isKnown;
		});
		expect(wrong.map(show)).toEqual([]);
	});
});

const external = (imports: readonly Import[]) =>
	[
		...new Set(
			imports.filter((one) => !isOwnFile(one)).map(({ to }) => packageOf(to)),
		),
	].sort();

test("wire depends on nothing, the contract on wire and zod", () => {
	expect(external(importsIn("wire"))).toEqual([]);
	expect(external(importsIn("contract"))).toEqual(["@partnerwire/wire", "zod"]);
});

test("core never imports a server or an HTTP client", () => {
	const web = /^(h3|undici|srvx|listhen|node:(https?|net|tls|http2))$/;
	expect(external(importsIn("core")).filter((name) => web.test(name))).toEqual(
		[],
	);
});

test("the database's drivers are imported only in db/sqlite and db/postgres, but for the columns of each engine", () => {
	const driver =
		/^(better-sqlite3|pg|postgres|drizzle-orm\/(better-sqlite3|sqlite-proxy|node-postgres|postgres-js))$/;
	const of = importsIn("core").filter(({ to }) => driver.test(to));
	expect(of.length).toBeGreaterThan(0);
	const wrong = of.filter(
		({ from, isTypeOnly }) =>
			!/^shared\/core\/src\/db\/(sqlite|postgres)\//.test(from) &&
			!(isTypeOnly && from.startsWith("shared/core/src/db/")),
	);
	expect(wrong.map(show)).toEqual([]);
	for (const name of names.filter((other) => other !== "core")) {
		const elsewhere = importsIn(name).filter(
			({ to }) => driver.test(to) || packageOf(to) === "drizzle-orm",
		);
		expect(elsewhere.map(show)).toEqual([]);
	}
});

test("whole SQL statements are written only in db/ and delivery/sql/; elsewhere only fragments in drizzle's builder", () => {
	const statement =
		/(["'`])\s*(select|insert into|update|delete from|create|drop|alter|pragma|with|begin|savepoint)\s[^"'`]*\1/gi;
	const places = sourcesOf("core").filter(
		(path) => readSource(path).search(statement) >= 0,
	);
	const isInDb = (path: string) =>
		/^shared\/core\/src\/(db|delivery\/sql)\//.test(path);
	expect(places.filter(isInDb)).toContain(
		"shared/core/src/db/sqlite/migrate.ts",
	);
	expect(places.filter((path) => !isInDb(path))).toEqual([]);
});

test("the SDK has no dependency but the contract and its retries", () => {
	expect(external(importsIn("sdk"))).toEqual([
		"@partnerwire/contract",
		"p-retry",
	]);
});

test("the dispatcher's root has no database: only ./worker knows core", () => {
	const { files, packages } = graphOf("dispatcher/src/index.ts");
	expect(files.filter((path) => path.includes("/worker/"))).toEqual([]);
	expect(packages).not.toContain("@partnerwire/core");
	const wrong = importsIn("dispatcher").filter(
		({ from, to }) =>
			packageOf(to) === "@partnerwire/core" &&
			!from.startsWith("dispatcher/src/worker/"),
	);
	expect(wrong.map(show)).toEqual([]);
});

test("the receiver's root loads no node module and no package but wire", () => {
	const { imports } = JSON.parse(readSource("receiver/package.json"));
	// The file of `#crypto` on runtimes other than Node.
	const crypto = imports["#crypto"].default["partnerwire-source"].replace(
		"./",
		"receiver/",
	);
	const { files, packages } = graphOf("receiver/src/index.ts", {
		"#crypto": crypto,
	});
	expect(files).toContain(crypto);
	expect(packages).toEqual(["@partnerwire/wire"]);
});

test("no adapter or store of the receiver imports a driver or a server that its user did not bring", () => {
	const loaded = importsIn("receiver").filter(
		(one) => !one.isTypeOnly && !isOwnFile(one),
	);
	const own = /^(node:\w+|#crypto|jose|@partnerwire\/wire)$/;
	expect(external(loaded).filter((name) => !own.test(name))).toEqual([]);
});

describe("the dashboard", () => {
	const sources = ["admin/web/src", "admin/web/build"]
		.flatMap(listFiles)
		.filter((path) => /\.(ts|vue)$/.test(path) && !path.endsWith(".d.ts"));
	const imports = sources.flatMap(importsOf);
	const isOwn = ({ to }: Import) => to.startsWith("admin/web/");

	test("has sources, and they import something", () => {
		expect(imports.length).toBeGreaterThan(100);
	});

	test("knows the contract and the SDK of our packages, and nothing of the service", () => {
		const wrong = imports.filter(
			(one) =>
				/^(@partnerwire\/|partnerwire|admin\/)/.test(one.to) &&
				!isOwn(one) &&
				![
					...ARROWS.sdk,
					"@partnerwire/wire",
					"@partnerwire/sdk",
					FIXTURES,
				].includes(packageOf(one.to)),
		);
		expect(wrong.map(show)).toEqual([]);
	});

	test("is built from what admin's devDependencies declare: nothing of it is installed with the service", () => {
		const { devDependencies } = JSON.parse(readSource("admin/package.json"));
		const wrong = imports.filter(({ from, to }) => {
			if (/^(admin\/web\/|@partnerwire\/|virtual:)/.test(to)) return false;
			// Its build runs on Node. The built code does not.
			if (from.startsWith("admin/web/build/") && to.startsWith("node:"))
				return false;
			return !(packageOf(to) in devDependencies);
		});
		expect(wrong.map(show)).toEqual([]);
	});
});

test("no test reaches into another package's tests", () => {
	const owner = (path: string) =>
		/^(.*?)\/test\//.exec(path)?.[1] ?? "the repository's own tests";
	const imports = ["test", ...Object.values(PACKAGES).map((of) => `${of}/test`)]
		.flatMap(listFiles)
		.filter(isTypeScript)
		.flatMap(importsOf)
		.filter((one) => isOwnFile(one) && one.to.includes("test/"));
	expect(imports.length).toBeGreaterThan(100);
	expect(
		imports.filter(({ from, to }) => owner(from) !== owner(to)).map(show),
	).toEqual([]);
});
