import type { EventId } from "@partnerwire/wire";
import type { AUDIT_ACTIONS, AuditChange } from "../db/tables/system.ts";

export type Resource = Readonly<Record<string, unknown>>;

/** One record that an operation changed. */
export interface Change {
	/** The kind of record, as in the audit log. */
	readonly entity: string;
	readonly uuid: string;
	readonly action: (typeof AUDIT_ACTIONS)[number] | (string & {});
	/** The record as the API returns it, before and after; null if it does not exist then. Neither holds a secret. */
	readonly before: Resource | null;
	readonly after: Resource | null;
	/** Changes beside the members, in the audit log's form. */
	readonly also?: readonly AuditChange[];
	/** The event of this change, if it has one. */
	readonly emits?: Emission | undefined;
}

export interface Emission {
	readonly eventId: EventId;
	/** The record whose lane the delivery joins (docs/decisions.md#order). */
	readonly recordUuid: string;
	readonly entity: object;
}

/** Members that do not describe a user's change. */
const SILENT = new Set([
	"uuid",
	"id",
	"created_at",
	"updated_at",
	"health",
	"author",
	// Custom fields have entries of their own, under their labels.
	"custom_fields",
]);

/** The members that differ, foreign keys as labels (docs/decisions.md#audit-log). */
export function toAuditChanges({
	entity,
	before,
	after,
	also = [],
}: Change): AuditChange[] {
	const members = Object.keys(after ?? before ?? {}).filter(
		(member) => !SILENT.has(member),
	);
	const changed = members.flatMap((field): AuditChange[] => {
		const old = before?.[field] ?? null;
		const now = after?.[field] ?? null;
		if (isEqual(old, now) || isEmpty(old, now)) return [];
		return [
			{
				entity,
				field,
				old: toShown(old),
				new: toShown(now),
				label: field.replaceAll("_", " "),
				ref_uuid: referenceOf(now) ?? referenceOf(old),
			},
		];
	});
	return [...changed, ...also];
}

const isEqual = (a: unknown, b: unknown) =>
	JSON.stringify(a) === JSON.stringify(b);
const isEmpty = (...values: unknown[]) =>
	values.every(
		(value) => value === null || (Array.isArray(value) && value.length === 0),
	);

/** A record as it appears in another one: its uuid and names. */
export interface Reference {
	uuid: string;
	label?: string | null;
	name?: string | null;
	code?: string | null;
	company_name?: string | null;
	domain?: string | null;
	email?: string | null;
	first_name?: string | null;
	last_name?: string | null;
	file_name?: string | null;
	url?: string | null;
}
const isReference = (value: unknown): value is Reference =>
	typeof value === "object" && value !== null && "uuid" in value;
/** An object that is not a reference itself; its members may be. */
const isValue = (value: unknown): value is Resource =>
	typeof value === "object" && value !== null;

function toShown(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(toShown);
	if (isReference(value)) return toLabel(value);
	if (!isValue(value)) return value;
	const members = Object.entries(value);
	return Object.fromEntries(
		members.map(([member, inner]) => [member, toShown(inner)]),
	);
}

/** A readable name, never a uuid: that is in `ref_uuid`. */
const toLabel = (to: Reference): string =>
	[
		to.label,
		to.name,
		to.code,
		to.company_name,
		to.domain,
		to.email,
		[to.first_name, to.last_name].filter(Boolean).join(" "),
		to.file_name,
		to.url,
	].find(Boolean) ?? "(no name)";
const referenceOf = (value: unknown) =>
	isReference(value) ? value.uuid : null;
