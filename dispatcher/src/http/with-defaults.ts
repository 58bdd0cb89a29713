/** The members that are given: undefined is not given, because callers pass on what they were not given themselves. */
export const withoutUndefined = <Members extends object>(
	members: Members,
): Members =>
	Object.fromEntries(
		Object.entries(members).filter(([, value]) => value !== undefined),
	) as Members;

/** The options, and the defaults of those that are not given; spread alone, undefined would replace a default. */
export function withDefaults<
	Options extends object,
	Defaults extends Partial<Options>,
>(
	options: Options,
	defaults: Defaults,
): Options & {
	readonly [Name in keyof Defaults & keyof Options]-?: Exclude<
		Options[Name],
		undefined
	>;
} {
	return { ...defaults, ...withoutUndefined(options) } as never;
}
