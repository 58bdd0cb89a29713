import { join } from "node:path";
import Database from "better-sqlite3";
import type { Calls } from "./children/api-ours.ts";
import { openChild } from "./kit/child.ts";
import { expect } from "./kit/expect.ts";
import { loading } from "./kit/loading.ts";
import type { Part } from "./kit/report.ts";
import { medianRatio, runRounds, showRates } from "./kit/rounds.ts";
import { inTempFolder } from "./kit/temp-folder.ts";

/** The number of fields of each lead: those that it has values for, and those that rules fill. */
const VALUES = 30;

/** Compares creates per second of a lead with 30 custom fields and 20 rules with the same lead of a company without any. */
export const benchFields: Part = (options) =>
	inTempFolder(async (folder) => {
		const service = openChild<Calls>("./children/api-ours.ts");
		try {
			const started = await service.call("openWithFields", folder);
			const url = `${started.url}/v1/leads`;
			let created = 0;
			const creating = (
				{ key, partnershipUuid, values }: typeof started.fields,
				onDone: (amount: number) => void,
			) => {
				const headers = {
					authorization: `Bearer ${key}`,
					"content-type": "application/json",
				};
				const body = JSON.stringify({
					partnership_uuid: partnershipUuid,
					company_name: "Globex",
					email: "a@globex.example",
					first_name: "A",
					last_name: "B",
					custom_fields: values,
				});
				return loading({ url, method: "POST", headers, body }, onDone);
			};
			const { fields, plain } = await runRounds(
				{
					fields: creating(started.fields, (amount) => {
						created += amount;
					}),
					plain: creating(started.plain, () => {}),
				},
				options,
			);
			expectValues(join(folder, "ours.db"), created * VALUES);
			return {
				custom_fields_ratio: medianRatio(fields, plain),
				rows: [
					{ name: "create a lead", value: showRates(plain) },
					{
						name: "create a lead with 30 fields and 20 rules",
						value: showRates(fields),
					},
				],
			};
		} finally {
			await service.close();
		}
	});

function expectValues(database: string, expected: number): void {
	const db = new Database(database, { readonly: true });
	const stored = db
		.prepare(
			"select count(*) from custom_field_values v, json_each(v.json) e where e.value ->> 0 is not null",
		)
		.pluck()
		.get();
	db.close();
	expect(
		stored === expected,
		`there are ${stored} values instead of ${expected}`,
	);
}
