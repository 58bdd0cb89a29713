/** A form whose record may change while it is open: the stored values, and the user's. */
export interface Edit<Form extends object> {
	/** The values as loaded or last merged. A comparison with them finds the user's changes. */
	readonly stored: Form;
	readonly form: Form;
	/** Members that somebody else changed after the user did. */
	readonly meanwhile: readonly (keyof Form)[];
}

/** A deep copy: editors change the form in place, and the stored values must not change with it. */
const copy = <Form extends object>(form: Form): Form =>
	JSON.parse(JSON.stringify(form));

export const beginEdit = <Form extends object>(stored: Form): Edit<Form> => ({
	stored: copy(stored),
	form: copy(stored),
	meanwhile: [],
});

/** The members that the user changed. */
export const toChanged = <Form extends object>({
	stored,
	form,
}: Pick<Edit<Form>, "stored" | "form">): (keyof Form)[] =>
	(Object.keys(form) as (keyof Form)[]).filter(
		(name) => JSON.stringify(stored[name]) !== JSON.stringify(form[name]),
	);

/** Merges a changed record: members that the user has not changed follow it, the others keep the user's values. */
export function mergeStored<Form extends object>(
	edit: Edit<Form>,
	stored: Form,
): Edit<Form> {
	const form = copy(stored);
	for (const name of toChanged(edit)) form[name] = edit.form[name];
	const theirs = toChanged({ stored: edit.stored, form: stored });
	const meanwhile = toChanged({ stored, form }).filter(
		(name) => theirs.includes(name) || edit.meanwhile.includes(name),
	);
	return { stored: copy(stored), form, meanwhile };
}

/** Merges after a save: the sent values are stored now, later input is still unsaved. */
export const mergeSaved = <Form extends object>(
	edit: Edit<Form>,
	sent: Form,
	saved: Form,
): Edit<Form> => ({
	...mergeStored({ ...edit, stored: sent }, saved),
	meanwhile: [],
});
