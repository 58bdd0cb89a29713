/** Throws unless the measured work was really done. Otherwise its ratio would mean nothing. */
export function expect(isTrue: boolean, otherwise: string): asserts isTrue {
	if (!isTrue) throw new Error(`the bench measured nothing: ${otherwise}`);
}
