import type { EventId } from "@partnerwire/contract";
import type { AUDIT_ACTIONS, AuditChange } from "../db/tables/system.ts";

export type Resource = Readonly<Record<string, unknown>>;

/** One record that an operation changed. */
export interface Change {
	/** The kind of record, as the audit log names it. */
	readonly entity: string;
	readonly uuid: string;
	readonly action: (typeof AUDIT_ACTIONS)[number] | (string & {});
	/** The record as the API shows it, before and after; null where there is none. No secret is in either. */
	readonly before: Resource | null;
	readonly after: Resource | null;
	/** What it changed beside its members, told in the words of the audit log. */
	readonly also?: readonly AuditChange[];
	/** The event to emit, if this kind of change has one. */
	readonly emits?: Emission | undefined;
}

export interface Emission {
	readonly eventId: EventId;
	/** The record at the root of the lane (decisions §2: order). */
	readonly recordUuid: string;
	readonly entity: object;
}

/** Members that say nothing about what somebody did. */
const SILENT = new Set([
	"uuid",
	"id",
	"created_at",
	"updated_at",
	"health",
	"author",
	// Each of them is told apart, under its own label.
	"custom_fields",
]);

/** The members that differ, foreign keys as labels (spec 1.3.0). */
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

interface Reference {
	uuid: string;
	label?: string;
	name?: string;
	code?: string;
	company_name?: string;
	domain?: string;
	email?: string;
}
const isReference = (value: unknown): value is Reference =>
	typeof value === "object" && value !== null && "uuid" in value;

const toShown = (value: unknown): unknown =>
	Array.isArray(value)
		? value.map(toShown)
		: isReference(value)
			? toLabel(value)
			: value;
const toLabel = (to: Reference): string =>
	to.label ??
	to.name ??
	to.code ??
	to.company_name ??
	to.domain ??
	to.email ??
	to.uuid;
const referenceOf = (value: unknown) =>
	isReference(value) ? value.uuid : null;
