/* The servers of docs/other-languages.md, as programs: written to a folder, built and started by the page's own commands. */
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { blocksOf } from "../kit/code-blocks.ts";
import { freePort } from "../kit/free-port.ts";
import { readSource } from "../kit/sources.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

export const PAGE = "docs/other-languages.md";
const GO_SOURCES = "/usr/share/gocode/src/github.com";

export interface Language {
	/** The heading of its section in the page. */
	readonly name: string;
	readonly file: string;
	/** Ends well if everything is installed that the section's `apt-get install` names. */
	readonly probe: string;
	/** The program in vectors/, and the command that prints its verdicts as JSON. */
	readonly vectors: readonly [file: string, command: string];
	/** Starts the server, where it is not the section's last command. */
	readonly serve?: string;
}

export const LANGUAGES: readonly Language[] = [
	{
		name: "Python",
		file: "server.py",
		probe: "python3 -c 'import jwt, sqlite3; jwt.PyJWT'",
		vectors: ["vectors.py", "python3 vectors.py"],
	},
	{
		name: "Ruby",
		file: "server.rb",
		probe: 'ruby -e \'require "jwt"; require "sqlite3"; require "webrick"\'',
		vectors: ["vectors.rb", "ruby vectors.rb"],
	},
	{
		name: "Go",
		file: "server.go",
		probe: `go version && gcc --version && pkg-config sqlite3 && cd ${GO_SOURCES}/mattn/go-sqlite3 && cd ${GO_SOURCES}/golang-jwt/jwt`,
		vectors: ["vectors_test.go", "go test -c -o vectors . && ./vectors"],
	},
	{
		name: "PHP",
		file: "server.php",
		probe:
			"nginx -v && ls /usr/sbin/php-fpm* && php -r 'exit(extension_loaded(\"pdo_sqlite\") ? 0 : 1);'",
		vectors: ["vectors.php", "php vectors.php"],
		serve: "exec /usr/sbin/php-fpm* -R -F -y fpm.conf",
	},
	{
		name: "Java",
		file: "Server.java",
		probe:
			"javac --version && cd /usr/share/java && ls jackson-databind.jar sqlite-jdbc.jar",
		vectors: [
			"Vectors.java",
			"javac -d vectors Server.java Vectors.java && java -cp vectors:$CLASSPATH Vectors",
		],
	},
	{
		name: "C#",
		file: "Server.cs",
		probe:
			"mcs --version && mono --version && ls /usr/lib/mono/4.5/Mono.Data.Sqlite.dll /usr/lib/cli/Newtonsoft.Json-5.0",
		vectors: [
			"Vectors.cs",
			"mcs -out:vectors.exe -main:Vectors -r:$LIBRARIES Server.cs Vectors.cs && mono vectors.exe",
		],
	},
];

const toLines = (commands: readonly string[]) =>
	commands.map((command) => `${command}\n`).join("");

/** The code of a language's section: its blocks by their language. Each occurs once. */
function codeOf({ name }: Language): Record<string, string> {
	const own = blocksOf(PAGE).filter(
		({ before }) => /^.*\n## (.*)$/s.exec(before)?.[1]?.split("\n")[0] === name,
	);
	const code = Object.fromEntries(
		own.map((each) => [each.language, each.code]),
	);
	if (Object.keys(code).length !== own.length)
		throw new Error(`${PAGE}: two blocks of one language below ${name}`);
	return code;
}

/** Debian's programs, before others of the same name. */
const ENV = {
	...process.env,
	PATH: `/usr/sbin:/usr/bin:${process.env.PATH}`,
	GOPROXY: "off",
	GOFLAGS: "-mod=mod",
};

/** Go's jwt and SQLite of Debian, where the page fetches them. */
const GO_MOD = `module webhooks
require github.com/golang-jwt/jwt/v4 v4.4.3
require github.com/mattn/go-sqlite3 v1.14.16
replace github.com/golang-jwt/jwt/v4 => ${GO_SOURCES}/golang-jwt/jwt
replace github.com/mattn/go-sqlite3 => ${GO_SOURCES}/mattn/go-sqlite3
`;

/** nginx.conf around the page's `server`, for whoever runs the tests. */
const toWholeConfig = (server: string) => `daemon off;
user ${userInfo().username};
pid nginx.pid;
events {}
http {
access_log off;
client_body_temp_path body;
fastcgi_temp_path fastcgi;
proxy_temp_path proxy;
scgi_temp_path scgi;
uwsgi_temp_path uwsgi;
${server}}
`;

/** Writes a language's files to a folder of its own. If a program is missing, the error says how to install it. */
export async function install(language: Language) {
	const folder = createTempFolder();
	const [port, innerPort] = [await freePort(), await freePort()];
	const local: Record<string, string> = {
		4400: String(port),
		4401: String(innerPort),
		"/srv/webhooks": folder,
		"/run/php": folder,
		"www-data": userInfo().username,
	};
	const {
		sh = "",
		nginx,
		ini,
		...sources
	} = Object.fromEntries(
		Object.entries(codeOf(language)).map(([block, code]) => [
			block,
			code.replaceAll(
				new RegExp(Object.keys(local).join("|"), "g"),
				(found) => local[found] ?? found,
			),
		]),
	);
	const [howTo, ...commands] = sh.trim().split("\n");
	const probe = spawnSync("sh", ["-c", language.probe], { env: ENV });
	if (probe.status !== 0)
		throw new Error(`${language.name} is not there: ${howTo}\n${probe.stderr}`);

	const [harness, printVerdicts] = language.vectors;
	const [source = ""] = Object.values(sources);
	const files = {
		[language.file]: source.replace("golang-jwt/jwt/v5", "golang-jwt/jwt/v4"),
		[harness]: readSource(`test/languages/vectors/${harness}`),
		"go.mod": GO_MOD,
		"fpm.conf": `[global]\nerror_log = /dev/stderr\n${ini}`,
		"nginx.conf": toWholeConfig(nginx ?? ""),
	};
	for (const [file, text] of Object.entries(files))
		writeFileSync(join(folder, file), text);

	// Go's modules are here already.
	const setup = commands.filter((line) => !line.startsWith("go mod init "));
	const server = language.serve ?? setup.pop();
	// A process group each: PHP-FPM leaves that of another.
	const services = [`${toLines(setup)}${server}`];
	if (nginx) services.push("exec nginx -p . -e stderr -c nginx.conf");
	const log = join(folder, "log");
	return {
		folder,
		url: new URL(`http://127.0.0.1:${port}/hook`),
		/** Runs the vectors' program on a file of vectors and answers its output. */
		runVectors: async (file: string) => {
			const { stdout } = await promisify(execFile)(
				"sh",
				["-ec", `${toLines(setup)}${printVerdicts} $0`, file],
				{ cwd: folder, env: ENV },
			);
			return stdout;
		},
		readLog: () => readFileSync(log, "utf8"),
		/** Starts the server, and answers a function that kills it and its processes without a chance to tidy up. */
		start(secret: string) {
			const output = openSync(log, "a");
			const children = services.map((service) =>
				spawn("sh", ["-ec", service], {
					cwd: folder,
					env: { ...ENV, PARTNERWIRE_WEBHOOK_SECRET: secret },
					stdio: ["ignore", output, output],
					detached: true,
				}),
			);
			closeSync(output);
			const exits = children.map((child) => once(child, "exit"));
			return async () => {
				for (const { pid } of children)
					try {
						process.kill(-(pid as number), "SIGKILL");
					} catch {
						// They have all ended.
					}
				await Promise.all(exits);
			};
		},
	};
}
