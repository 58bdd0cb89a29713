// Order and search of text on the project's engine; text-locales.postgres.test.ts tries other locales.

import { describe } from "vitest";
import { testText } from "../support/text-suite.ts";

describe("text, as the engine's default locale has it", () => testText());
