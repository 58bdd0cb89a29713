import type { Db } from "../db/db.ts";
import { insertRow, type NewRowOf } from "../db/insert-row.ts";
import type { STAGE_ENTITIES } from "../db/tables/configuration.ts";
import { lockName } from "../delivery/sql/lock-integrations.ts";
import { foldCase } from "../values/fold-case.ts";
import { addApiKey, addCompany, addUser, setModule } from "./provision.ts";
import type { Seed } from "./seed-schema.ts";

interface Labelled {
	label: string;
	background_color?: string | null | undefined;
	text_color?: string | null | undefined;
}

export interface Seeded {
	company_uuid: string;
	user_uuid: string;
	/** The values of the three keys, which are not stored. */
	keys: { read: string; write: string; full: string };
}

/** Fills an empty database with a company that is ready to try. */
export async function seedCompany(
	db: Db,
	seed: Seed,
	nowMs: number,
): Promise<Seeded> {
	const companyUuid = await addCompany(db, seed.company, nowMs);
	const users: string[] = [];
	for (const {
		email,
		first_name: firstName,
		last_name: lastName,
	} of seed.users) {
		users.push(
			await addUser(db, { companyUuid, email, firstName, lastName }, nowMs),
		);
	}
	const [userUuid] = users;
	if (!userUuid) throw new TypeError("the seed has no user");
	const keys: Partial<Seeded["keys"]> = {};
	for (const key of seed.keys) {
		const { value } = await addApiKey(
			db,
			{ companyUuid, userUuid, ...key },
			nowMs,
		);
		keys[key.read && key.write ? "full" : key.read ? "read" : "write"] = value;
	}
	for (const module of seed.modules)
		await setModule(db, companyUuid, module, true);
	await addConfiguration(db, seed, companyUuid, nowMs);
	return {
		company_uuid: companyUuid,
		user_uuid: userUuid,
		keys: keys as Seeded["keys"],
	};
}

async function addConfiguration(
	db: Db,
	seed: Seed,
	companyUuid: string,
	nowMs: number,
): Promise<void> {
	const toNewColumns = () => ({
		uuid: db.random.newUuid(nowMs),
		companyUuid,
		createdAt: nowMs,
		updatedAt: nowMs,
	});
	const toRow = ({ label, background_color, text_color }: Labelled) => ({
		...toNewColumns(),
		label,
		labelKey: foldCase(label),
		backgroundColor: background_color,
		textColor: text_color,
	});
	const addStages = async (
		entity: (typeof STAGE_ENTITIES)[number],
		stages: Seed["deal_stages" | "lead_stages" | "partner_stages"],
	) => {
		for (const [index, stage] of stages.entries()) {
			const { label, phase, partner_type: partnerType } = stage;
			const series = stage.series ?? index + 1;
			await insertRow(db, "stage", {
				...toNewColumns(),
				entity,
				label,
				series,
				phase,
				partnerType,
			});
		}
	};
	await addStages("deal", seed.deal_stages);
	await addStages("lead", seed.lead_stages);
	await addStages("partner", seed.partner_stages);
	for (const [index, tier] of seed.tiers.entries())
		await insertRow(db, "tier", {
			...toRow(tier),
			series: tier.series ?? index + 1,
		});
	for (const category of seed.categories)
		await insertRow(db, "category", toRow(category));
	for (const tag of seed.tags)
		await insertRow(db, "tag", { ...toRow(tag), type: tag.type });
	for (const [index, { code, label }] of seed.currencies.entries()) {
		await insertRow(db, "currency", {
			...toNewColumns(),
			code,
			label,
			isDefault: index === 0,
		});
	}
	for (const partner of seed.partners) {
		const row: NewRowOf<"partner"> = {
			...toNewColumns(),
			name: partner.name,
			partnerType: partner.partner_type,
			email: partner.email,
			websiteUrl: partner.website_url,
		};
		await insertRow(db, "partner", row);
	}
}

/** Whether the database has no company yet. */
export async function isEmpty({
	query,
	tables: { company },
}: Db): Promise<boolean> {
	return (
		(await query.select({ uuid: company.uuid }).from(company).limit(1))
			.length === 0
	);
}

/** Like `isEmpty`, in a write. Until it ends, other callers of this function wait. */
export async function claimEmpty(db: Db): Promise<boolean> {
	await lockName(db, "set-up");
	return isEmpty(db);
}
