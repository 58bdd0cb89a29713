import { z } from "zod";
import { text, timestamp } from "../table/text.ts";

/** An internet domain of a partner; one of them is the primary one. */
export const PartnerDomain = z.object({
	uuid: z.string(),
	domain: z.string(),
	is_primary: z.boolean(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type PartnerDomain = z.infer<typeof PartnerDomain>;

const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?";
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+${LABEL}$`, "u");

/** A host name with a dot, without scheme, port or path; kept in lower case. */
const domain = text(253)
	.refine((value) => DOMAIN.test(value), {
		error: "must be a domain such as example.com",
	})
	.transform((value) => value.toLowerCase());

/** The first domain of a partner is its primary one, whatever the body says. */
export const PartnerDomainCreate = z.object({
	domain,
	is_primary: z.boolean().default(false),
});
export type PartnerDomainCreate = z.infer<typeof PartnerDomainCreate>;

/** To change the primary domain, make another one primary. */
export const PartnerDomainUpdate = z
	.object({ domain, is_primary: z.boolean() })
	.partial();
export type PartnerDomainUpdate = z.infer<typeof PartnerDomainUpdate>;
