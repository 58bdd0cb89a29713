import { Seed } from "@partnerwire/core";
import { readFixtureFile } from "./fixtures.ts";

/** The records that `--demo` puts into an empty database. */
export const readSeed = (): Seed => Seed.parse(readFixtureFile("seed.json"));
