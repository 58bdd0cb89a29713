import { describe } from "vitest";
import { testText } from "./support/text-suite.ts";

describe("text, as the engine's default locale has it", () => testText());
