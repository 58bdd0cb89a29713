/** Throws unless the work of a measure was really done: a ratio of work that was not done is worth nothing. */
export function expect(isTrue: boolean, otherwise: string): asserts isTrue {
	if (!isTrue) throw new Error(`the bench measured nothing: ${otherwise}`);
}
