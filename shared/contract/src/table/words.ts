/** A noun of the operation table in words: "AgreementTemplate" is an "agreement template". */
export const toWords = (name: string): string => toTitle(name).toLowerCase();

/** "a lead", "an asset". */
export const withArticle = (words: string): string =>
	`${/^[aeio]/.test(words) ? "an" : "a"} ${words}`;

/** "AgreementTemplates" as the title of its group: "Agreement Templates". */
export const toTitle = (plural: string): string =>
	plural.replace(/([a-z])([A-Z])/g, "$1 $2");

export const capitalise = (word: string): string =>
	word.replace(/^./, (first) => first.toUpperCase());
