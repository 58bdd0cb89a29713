import { test } from "vitest";
import { compareVerdicts } from "../helpers/compare-verdicts.ts";

test("the node:crypto path and the WebCrypto path give the same verdict on 100,000 generated tokens", () =>
	compareVerdicts(100_000));
