const MOST = 4096;

/** Memoizes a function of a text. If there are too many results, all are forgotten. */
export function memoize<Made extends object>(
	make: (text: string) => Made,
): (text: string) => Made {
	const known = new Map<string, Made>();
	return (text) => {
		let made = known.get(text);
		if (!made) {
			made = make(text);
			if (known.size >= MOST) known.clear();
			known.set(text, made);
		}
		return made;
	};
}
