/** A form that is open while its record may change: what is stored, and what the user made of it. */
export interface Edit<Form extends object> {
	/** As it was loaded or last merged: what the user changed is told by comparing with it. */
	readonly stored: Form;
	readonly form: Form;
	/** Members that somebody else changed after the user did. */
	readonly meanwhile: readonly (keyof Form)[];
}

/** Editors change the form in place, and what is stored must not change with it. */
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

/** The record changed: members that the user did not touch follow it, the others keep what the user wrote. */
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

/** What was sent is stored now; what was typed since then is still to be saved. */
export const mergeSaved = <Form extends object>(
	edit: Edit<Form>,
	sent: Form,
	saved: Form,
): Edit<Form> => ({
	...mergeStored({ ...edit, stored: sent }, saved),
	meanwhile: [],
});
