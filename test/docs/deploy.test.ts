import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readSettings } from "../../admin/src/cli/settings/read-flags.ts";
import { findCommand } from "../kit/program/find-command.ts";
import { listFiles, readSource } from "../kit/sources.ts";

/** A start of the service in a file of docs/deploy: the words after the program's name, and variables. */
interface Start {
	readonly of: string;
	readonly words: readonly string[];
	readonly variables: Readonly<Record<string, string>>;
}

interface Pod {
	readonly enableServiceLinks?: boolean;
	readonly containers: readonly {
		readonly name: string;
		readonly args: readonly string[];
		readonly env: readonly {
			readonly name: string;
			readonly valueFrom: { readonly secretKeyRef: { readonly key: string } };
		}[];
	}[];
}

const read = (name: string) => readSource(`docs/deploy/${name}`);

/** The members of the secret, which the file's first lines name. */
const SECRET: Readonly<Record<string, string>> = {
	database: "postgres://partnerwire:secret@db/partnerwire",
	key: "0f".repeat(32),
	"rate-limit-store": "redis://redis",
};

const pods = parseAllDocuments(read("kubernetes.yaml"))
	.map((document) => document.toJS())
	.filter(({ kind }) => kind === "Deployment")
	.map(({ spec }) => spec.template.spec as Pod);

const kubernetes = pods.flatMap(({ containers }) =>
	containers.map(
		({ name, args, env }): Start => ({
			of: `kubernetes.yaml: ${name}`,
			words: args,
			variables: Object.fromEntries(
				env.map(({ name, valueFrom }) => [
					name,
					SECRET[valueFrom.secretKeyRef.key] ?? "",
				]),
			),
		}),
	),
);

interface ComposeService {
	readonly image: string;
	readonly build?: object;
	readonly command: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
}
const services = Object.entries<ComposeService>(
	parse(read("compose.yaml"), { merge: true }).services,
).filter(([, { image }]) => image === "partnerwire");

const compose = services.map(
	([name, { command, environment }]): Start => ({
		of: `compose.yaml: ${name}`,
		words: command,
		// Compose replaces its own variables, such as ${POSTGRES_PASSWORD:?}.
		variables: Object.fromEntries(
			Object.entries(environment).map(([key, value]) => [
				key,
				value.replaceAll(/\$\{\w+:\?\}/g, "secret"),
			]),
		),
	}),
);

const dockerfile: Start = {
	of: "Dockerfile",
	words: JSON.parse(/^CMD (.*)$/m.exec(read("Dockerfile"))?.[1] ?? ""),
	variables: Object.fromEntries(
		[...read("Dockerfile").matchAll(/\b(PARTNERWIRE_\w+)=(\S+)/g)].map(
			([, name, value]) => [name, value],
		),
	),
};

const [, program = "", unitWords = ""] =
	/^ExecStart=\S+ (\S+) (.*)$/m.exec(read("partnerwire.service")) ?? [];
const unit: Start = {
	of: "partnerwire.service",
	words: unitWords.split(" "),
	variables: { PARTNERWIRE_SECRET_KEY: "0f".repeat(32) },
};

const starts = [dockerfile, ...compose, ...kubernetes, unit];

test("every file that starts the service is among those that are looked at", () => {
	expect(starts.map(({ of }) => of)).toEqual([
		"Dockerfile",
		"compose.yaml: serve",
		"compose.yaml: worker",
		"kubernetes.yaml: serve",
		"kubernetes.yaml: worker",
		"partnerwire.service",
	]);
});

test.each(starts)(
	"$of: its command and flags are the command line's",
	async ({ words }) => {
		const command = await findCommand(words);
		expect(command.run).toBeTypeOf("function");
		expect(() => command.check?.(words.slice(1))).not.toThrow();
	},
);

test.each(starts)(
	"$of: each variable sets something, and to what it says",
	({ variables }) => {
		expect(Object.keys(variables)).not.toEqual([]);
		const settings = Object.values<unknown>(readSettings({}, variables));
		expect(settings).toEqual(
			expect.arrayContaining(Object.values<unknown>(variables)),
		);
	},
);

test("the program that the unit and the image run is there", () => {
	const [, entry] = JSON.parse(
		/^ENTRYPOINT (.*)$/m.exec(read("Dockerfile"))?.[1] ?? "",
	);
	expect(listFiles("admin/bin")).toContain(entry);
	expect(program).toBe(`/opt/partnerwire/${entry}`);
});

test("Kubernetes gives no pod the variables of its services, one of which has the name of a setting", () => {
	expect(() =>
		readSettings({}, { PARTNERWIRE_PORT: "tcp://10.0.0.1:80" }),
	).toThrow("PARTNERWIRE_PORT");
	for (const { enableServiceLinks } of pods)
		expect(enableServiceLinks).toBe(false);
});

test("compose builds the image once", () => {
	expect(services.filter(([, { build }]) => build)).toHaveLength(1);
});

test("no database, key, log or folder of builds gets into the image with the sources", () => {
	const ignored = readSource(".dockerignore").split("\n");
	const kept = readSource(".gitignore")
		.split("\n")
		.filter((line) => line !== "" && !/(^|\/)test\//.test(line))
		.map((line) => line.replace(/\/$/, ""));
	for (const pattern of [".git", "**/*.key", ...kept])
		expect(
			ignored.some((one) => one === pattern || one === `**/${pattern}`),
			pattern,
		).toBe(true);
});
