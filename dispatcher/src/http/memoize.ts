const MOST = 4096;

/** The same function, which makes what belongs to a text once: until there are too many, when it begins anew. */
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
