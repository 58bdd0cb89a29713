/** One line of the table. */
export interface Row {
	readonly name: string;
	readonly value: string;
}

/** The result of a part: lines for people, and the ratios that `--json` prints. */
export type PartResult = { readonly rows: readonly Row[] } & Readonly<
	Record<`${string}_ratio`, number>
>;

export interface BenchOptions {
	/** Fewer and shorter rounds, so that all parts together end within 60 s. */
	readonly quick: boolean;
}

export type Part = (options: BenchOptions) => Promise<PartResult>;

/** The ratios of parts as one object. */
export function toRatios(
	results: readonly PartResult[],
): Record<string, number> {
	const ratios = results.flatMap(({ rows: _, ...ratios }) =>
		Object.entries(ratios),
	);
	return Object.fromEntries(
		ratios.map(([key, ratio]) => [key, Number(ratio.toFixed(3))]),
	);
}

/** Names and values in two aligned columns. */
export function toTable(rows: readonly Row[]): string {
	const width = Math.max(...rows.map(({ name }) => name.length));
	return rows
		.map(({ name, value }) => `${name.padEnd(width)}  ${value}`)
		.join("\n");
}
