import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CHECKS, runTorture } from "../../admin/src/torture/run-torture.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const ROOT = join(import.meta.dirname, "../..");
const VECTORS = join(ROOT, "fixtures/tokens.json");
const page = readFileSync(join(ROOT, "docs/other-languages.md"), "utf8");

interface Vector {
	name: string;
	verdict: "accept" | "reject";
}
const { vectors } = JSON.parse(readFileSync(VECTORS, "utf8")) as {
	vectors: Vector[];
};

function blockOf(language: string): string {
	const blocks = [
		...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs")),
	];
	expect(blocks, language).toHaveLength(1);
	return blocks[0]?.[1] ?? "";
}

/** The first of several programs that works. If there is none, the error says how to install one. */
function findProgram(
	candidates: readonly string[],
	probe: readonly string[],
	howTo: string,
): string {
	const found = candidates.find(
		(program) => spawnSync(program, probe).status === 0,
	);
	if (!found) throw new Error(`${candidates.join(" or ")}: ${howTo}`);
	return found;
}

const findPython = () =>
	findProgram(
		["/usr/bin/python3", "python3"],
		["-c", "import jwt; jwt.PyJWT"],
		"install PyJWT: apt-get install python3-jwt",
	);

/** Checks that every vector has the verdict of its fixture. A harness prints one JSON boolean for each. */
function expectVerdicts(printed: string): void {
	const accepted = JSON.parse(printed) as boolean[];
	const verdicts = vectors.map(({ name }, index) => [
		name,
		accepted[index] ? "accept" : "reject",
	]);
	expect(verdicts).toEqual(vectors.map(({ name, verdict }) => [name, verdict]));
}

test("the page says which code is run", () => {
	const rows = page.matchAll(/^\| (\S+) +\| \S+ +\| (yes|no)\b/gm);
	expect([...rows].map(([, language, isRun]) => [language, isRun])).toEqual([
		["Python", "yes"],
		["Ruby", "yes"],
		["Go", "yes"],
		["PHP", "no"],
		["Java", "no"],
		["C#", "no"],
	]);
});

test("Python: PyJWT", () => {
	const file = join(createTempFolder(), "run.py");
	writeFileSync(
		file,
		`${blockOf("python")}
import json, sys

def is_accepted(vector):
    try:
        verify(vector["token"], vector["secret"], vector.get("body", "").encode(), vector["now"])
        return True
    except Exception:
        return False

print(json.dumps([is_accepted(v) for v in json.load(open(sys.argv[1], encoding="utf-8"))["vectors"]]))
`,
	);
	expectVerdicts(
		execFileSync(findPython(), [file, VECTORS], { encoding: "utf8" }),
	);
});

/** The shortest Python server around the page's code. It answers with the result of `verify`. */
const PYTHON_SERVER = `
import json, os
from http.server import BaseHTTPRequestHandler, HTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            assert scheme.lower() == "bearer"
            verify(token, os.environ["PARTNERWIRE_WEBHOOK_SECRET"], body)
            status = 200 if isinstance(json.loads(body), dict) else 400
        except ValueError:
            status = 400
        except Exception:
            status = 401
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass

server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
`;

test("Python: a receiver of the page's code passes what torture tries on tokens and claims", async () => {
	const file = join(createTempFolder(), "server.py");
	writeFileSync(file, blockOf("python") + PYTHON_SERVER);
	const secret = randomUUID();
	const child = spawn(findPython(), [file], {
		env: { ...process.env, PARTNERWIRE_WEBHOOK_SECRET: secret },
		stdio: ["ignore", "pipe", "ignore"],
	});
	onTestFinished(() => {
		child.kill("SIGKILL");
	});
	const [port] = await once(child.stdout, "data");
	const url = new URL(`http://127.0.0.1:${String(port).trim()}/hook`);
	const results = await runTorture({ url, secret, timeoutMs: 2_000 });
	const missed = results.filter(
		({ check, passed }) => !passed && /^(token|claims)/.test(check),
	);
	expect(results.length).toBe(CHECKS.length);
	expect(missed).toEqual([]);
});

test("Ruby: jwt", () => {
	const ruby = findProgram(
		["ruby"],
		["-e", 'require "jwt"'],
		"install Ruby and its jwt: apt-get install ruby ruby-jwt",
	);
	const file = join(createTempFolder(), "run.rb");
	writeFileSync(
		file,
		`${blockOf("ruby")}
require "json"

verdicts = JSON.parse(File.read(ARGV[0], encoding: "UTF-8"))["vectors"].map do |vector|
  verify(vector["token"], vector["secret"], vector["body"].to_s, vector["now"])
  true
rescue StandardError
  false
end
puts JSON.generate(verdicts)
`,
	);
	expectVerdicts(execFileSync(ruby, [file, VECTORS], { encoding: "utf8" }));
});

/** Debian's folder for the sources of Go's jwt, in version 4. */
const GO_JWT = "/usr/share/gocode/src/github.com/golang-jwt/jwt";

test("Go: golang-jwt", () => {
	const howTo =
		"install Go and its jwt: apt-get install golang-go golang-github-golang-jwt-jwt-dev";
	const go = findProgram(["go"], ["version"], howTo);
	if (!existsSync(join(GO_JWT, "go.mod"))) throw new Error(howTo);
	const folder = createTempFolder();
	mkdirSync(join(folder, "webhook"));
	writeFileSync(
		join(folder, "webhook/webhook.go"),
		blockOf("go").replace("golang-jwt/jwt/v5", "golang-jwt/jwt/v4"),
	);
	writeFileSync(
		join(folder, "go.mod"),
		`module run

require github.com/golang-jwt/jwt/v4 v4.4.3

replace github.com/golang-jwt/jwt/v4 => ${GO_JWT}
`,
	);
	writeFileSync(
		join(folder, "main.go"),
		`package main

import (
	"encoding/json"
	"fmt"
	"os"
	"run/webhook"
)

func main() {
	var file struct {
		Vectors []struct {
			Token, Secret, Body string
			Now                 int64
		}
	}
	text, _ := os.ReadFile(os.Args[1])
	if err := json.Unmarshal(text, &file); err != nil {
		panic(err)
	}
	accepted := []bool{}
	for _, v := range file.Vectors {
		_, err := webhook.Verify(v.Token, v.Secret, []byte(v.Body), v.Now)
		accepted = append(accepted, err == nil)
	}
	printed, _ := json.Marshal(accepted)
	fmt.Println(string(printed))
}
`,
	);
	const env = { ...process.env, GOPROXY: "off", GOFLAGS: "-mod=mod" };
	expectVerdicts(
		execFileSync(go, ["run", ".", VECTORS], {
			cwd: folder,
			env,
			encoding: "utf8",
		}),
	);
});
