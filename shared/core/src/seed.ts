import type { ModuleId, PartnerType } from "@partnerwire/contract";
import { newUuid } from "./core.ts";
import type { Db } from "./db/db.ts";
import { foldCase } from "./db/dialect.ts";
import { insertRow, type NewRowOf } from "./db/insert-row.ts";
import type { STAGE_ENTITIES, TAG_TYPES } from "./db/tables/configuration.ts";
import { addApiKey, addCompany, addUser, setModule } from "./provision.ts";

interface Labelled {
	label: string;
	background_color?: string;
	text_color?: string;
}
interface Stage extends Labelled {
	series: number;
	phase?: string;
	partner_type?: PartnerType;
}

/** The shape of `fixtures/seed.json`. */
export interface Seed {
	company: { name: string; domain: string; country: string };
	users: { first_name: string; last_name: string; email: string }[];
	keys: { label: string; read: boolean; write: boolean }[];
	modules: ModuleId[];
	currencies: { code: string; label: string }[];
	deal_stages: Stage[];
	lead_stages: Stage[];
	partner_stages: Stage[];
	tiers: (Labelled & { series: number })[];
	categories: Labelled[];
	tags: (Labelled & { type: (typeof TAG_TYPES)[number] })[];
	partners: {
		name: string;
		partner_type: PartnerType;
		email?: string;
		website_url?: string;
	}[];
}

export interface Seeded {
	company_uuid: string;
	user_uuid: string;
	/** The values of the three keys; they are nowhere else. */
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
	const own = () => ({
		uuid: newUuid(nowMs),
		companyUuid,
		createdAt: nowMs,
		updatedAt: nowMs,
	});
	const toRow = ({ label, background_color, text_color }: Labelled) => ({
		...own(),
		label,
		labelKey: foldCase(label),
		backgroundColor: background_color,
		textColor: text_color,
	});
	const addStages = async (
		entity: (typeof STAGE_ENTITIES)[number],
		stages: Stage[],
	) => {
		for (const { label, series, phase, partner_type: partnerType } of stages) {
			await insertRow(db, "stage", {
				...own(),
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
	for (const tier of seed.tiers)
		await insertRow(db, "tier", { ...toRow(tier), series: tier.series });
	for (const category of seed.categories)
		await insertRow(db, "category", toRow(category));
	for (const tag of seed.tags)
		await insertRow(db, "tag", { ...toRow(tag), type: tag.type });
	for (const [index, { code, label }] of seed.currencies.entries()) {
		await insertRow(db, "currency", {
			...own(),
			code,
			label,
			isDefault: index === 0,
		});
	}
	for (const partner of seed.partners) {
		const row: NewRowOf<"partner"> = {
			...own(),
			name: partner.name,
			partnerType: partner.partner_type,
			email: partner.email,
			websiteUrl: partner.website_url,
		};
		await insertRow(db, "partner", row);
	}
}

/** True when no company is in the database yet. */
export async function isEmpty({
	query,
	tables: { company },
}: Db): Promise<boolean> {
	return (
		(await query.select({ uuid: company.uuid }).from(company).limit(1))
			.length === 0
	);
}
