/* A call of each operation of the table, as far as its path parameters. */
import { MAX_UUID, OPERATION_IDS, operations } from "@partnerwire/contract";

/** The names of a path's parameters. */
export const namesOf = (path: string): string[] =>
	[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

/** The modules have names; all other parameters are uuids. */
export const isWord = (name: string): boolean => name === "module";

/** Right values for the parameters. */
export const toParams = (names: readonly string[]): Record<string, string> =>
	Object.fromEntries(
		names.map((name) => [name, isWord(name) ? "co_selling" : MAX_UUID]),
	);

export const CALLS = OPERATION_IDS.map(
	(id) => [id, { params: toParams(namesOf(operations[id].path)) }] as const,
);
