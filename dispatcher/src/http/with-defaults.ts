/** Removes members that are undefined: callers pass on options that they did not get themselves. */
export const withoutUndefined = <Members extends object>(
	members: Members,
): Members =>
	Object.fromEntries(
		Object.entries(members).filter(([, value]) => value !== undefined),
	) as Members;

type WithDefaults<Options, Defaults> = Options & {
	readonly [Name in keyof Defaults & keyof Options]-?: Exclude<
		Options[Name],
		undefined
	>;
};

/** Fills in the defaults of options that are missing or undefined. With a plain spread, undefined would replace a default. */
export function withDefaults<
	Options extends object,
	Defaults extends Partial<Options>,
>(options: Options, defaults: Defaults): WithDefaults<Options, Defaults> {
	return { ...defaults, ...withoutUndefined(options) } as WithDefaults<
		Options,
		Defaults
	>;
}
