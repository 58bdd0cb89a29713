import { describe, expect, inject, test } from "vitest";
import { onDatabase } from "#kit/database/database-client.ts";
import { openStore } from "../../../src/index.ts";
import { testText } from "../../support/text-suite.ts";

/** Locales that a database may have: none, Turkish, and one that orders digits as numbers. */
const LOCALES = {
	c: "locale_provider libc locale 'C'",
	turkish: "locale_provider icu icu_locale 'tr' locale 'C'",
	german: "locale_provider icu icu_locale 'de-u-co-phonebk-kn' locale 'C'",
};

let made = 0;
async function newDatabaseOf(locale: string): Promise<string> {
	const url = new URL(inject("postgres"));
	const name = `text_${process.pid}_${Date.now()}_${made++}`;
	await onDatabase(url.toString(), (client) =>
		client.query(
			`create database ${name} template template0 encoding 'UTF8' ${locale}`,
		),
	);
	url.pathname = name;
	return url.toString();
}

describe.each(Object.entries(LOCALES))("text in a %s database", (_, locale) =>
	testText(() => newDatabaseOf(locale)),
);

test("each text column is ordered by code points, those of migrations by hand too", async () => {
	const database = await newDatabaseOf(LOCALES.turkish);
	await (await openStore(database)).close();
	const { rows } = await onDatabase(database, (client) =>
		client.query(
			`select table_name, column_name from information_schema.columns
			where table_schema = current_schema() and data_type = 'text' and table_name <> 'migration' and collation_name is distinct from 'C'`,
		),
	);
	expect(rows).toEqual([]);
});
