import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTempFolder } from "../support/temp-folder.ts";

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

/** The first of some programs that can do what is needed; none is a failure that says how to install it. */
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

/** Every vector has the verdict that its fixture says; a harness prints one JSON boolean for each. */
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
	const python = findProgram(
		["/usr/bin/python3", "python3"],
		["-c", "import jwt; jwt.PyJWT"],
		"install PyJWT: apt-get install python3-jwt",
	);
	const file = join(openTempFolder(), "run.py");
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
	expectVerdicts(execFileSync(python, [file, VECTORS], { encoding: "utf8" }));
});

test("Ruby: jwt", () => {
	const ruby = findProgram(
		["ruby"],
		["-e", 'require "jwt"'],
		"install Ruby and its jwt: apt-get install ruby ruby-jwt",
	);
	const file = join(openTempFolder(), "run.rb");
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

/** Where Debian puts the sources of Go's jwt, which it has as version 4. */
const GO_JWT = "/usr/share/gocode/src/github.com/golang-jwt/jwt";

test("Go: golang-jwt", () => {
	const howTo =
		"install Go and its jwt: apt-get install golang-go golang-github-golang-jwt-jwt-dev";
	const go = findProgram(["go"], ["version"], howTo);
	if (!existsSync(join(GO_JWT, "go.mod"))) throw new Error(howTo);
	const folder = openTempFolder();
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
