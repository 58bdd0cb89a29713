import {
	email,
	MODULE_IDS,
	type ModuleId,
	operations,
	requiredLine,
} from "@partnerwire/contract";
import * as z from "zod";
import { foldCase } from "../values/fold-case.ts";

const KEYS = [
	{ label: "Read key", read: true, write: false },
	{ label: "Write key", read: false, write: true },
	{ label: "Full key", read: true, write: true },
];

/** A list in which no two items have the same key. A duplicate is reported here, at its item, not by the database. */
const listOf = <Item extends z.ZodType>(
	item: Item,
	keyOf?: (item: z.output<Item>) => string,
) =>
	z.array(item).superRefine((items, context) => {
		const seen = new Set<string>();
		for (const [index, each] of items.entries()) {
			const key = keyOf?.(each);
			if (key === undefined) return;
			if (seen.has(key))
				context.addIssue({
					code: "custom",
					path: [index],
					message: `is there twice: ${key}`,
				});
			seen.add(key);
		}
	});

const labelKey = ({ label }: { label: string }) => foldCase(label);

/** Records are written as their create operations take them, but an unknown member is an error here. */
const { createPartner, createTier, createCategory, createTag } = operations;
const { createDealStage, createLeadStage, createPartnerStage } = operations;

/** The shape of `fixtures/seed.json`: a company to begin with. Only the company and a user are required. */
export const Seed = z.strictObject({
	company: z.strictObject({
		name: requiredLine(),
		domain: requiredLine().optional(),
		country: z
			.string()
			.regex(/^[A-Z]{2}$/, { error: "must be two capital letters, as GB" })
			.optional(),
	}),
	users: listOf(
		z.strictObject({
			first_name: requiredLine(),
			last_name: requiredLine(),
			email: email(),
		}),
		(user) => foldCase(user.email),
	).min(1, { error: "must hold at least one user" }),
	// Exactly one key of each kind: `Seeded.keys` names them by kind.
	keys: listOf(
		z
			.strictObject({
				label: requiredLine(),
				read: z.boolean(),
				write: z.boolean(),
			})
			.refine(({ read, write }) => read || write, {
				error: "must read, write or both",
			}),
		({ read, write }) => (read && write ? "full" : read ? "read" : "write"),
	)
		.length(KEYS.length, {
			error: "must hold one that reads, one that writes and one that does both",
		})
		.default(KEYS),
	modules: z.array(z.enum(MODULE_IDS as [ModuleId])).default(MODULE_IDS),
	currencies: listOf(
		z.strictObject({
			code: z.string().regex(/^[A-Z]{3}$/, {
				error: "must be three capital letters, as EUR",
			}),
			label: requiredLine(),
		}),
		({ code }) => code,
	)
		.min(1, { error: "must hold at least one currency" })
		.default([{ code: "EUR", label: "Euro" }]),
	deal_stages: listOf(createDealStage.body.strict()).default([]),
	lead_stages: listOf(createLeadStage.body.strict()).default([]),
	partner_stages: listOf(createPartnerStage.body.strict()).default([]),
	tiers: listOf(createTier.body.strict(), labelKey).default([]),
	categories: listOf(createCategory.body.strict(), labelKey).default([]),
	tags: listOf(
		createTag.body.strict(),
		(tag) => `${tag.type} ${labelKey(tag)}`,
	).default([]),
	partners: listOf(
		createPartner.body
			.pick({ name: true, partner_type: true, email: true, website_url: true })
			.strict(),
	).default([]),
});
export type Seed = z.output<typeof Seed>;
/** A seed as it is written: members with a default may be left out. */
export type SeedInput = z.input<typeof Seed>;
