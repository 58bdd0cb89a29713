import {
	OPERATION_IDS,
	type Operation,
	type OperationId,
	operations,
} from "@partnerwire/contract";
import { EVENT_IDS } from "@partnerwire/wire";
import type { Api } from "#kit/program/api.ts";
import type { Answer, Call } from "#kit/program/client.ts";
import {
	DISTRIBUTOR,
	type Made,
	OPTION,
	withReferences,
} from "./references.ts";
import { changingBodyOf, validBodyOf } from "./valid-body.ts";

export interface Row extends Operation {
	readonly id: OperationId;
}

/** Every row of the operation table. */
export const rows: Row[] = OPERATION_IDS.map((id) => ({
	id,
	...(operations[id] as Operation),
}));

/** The records of one company. */
export interface TableWorld extends Made {
	readonly api: Api;
	readonly key: string;
	readonly uuids: Map<string, string>;
	readonly others: Map<string, number | string>;
}

/** The kind of record that a path's first parameter names. */
const parentOf = (path: string) =>
	path.includes("/resellers")
		? DISTRIBUTOR
		: path
				.slice(0, path.indexOf("/{"))
				.replace("/api/v1/", "/v1/")
				.replace(/^\/v1\/partner$/, "/v1/partners");

/** The custom fields of each kind of record, whose values are told by them. */
export const FIELDS: Record<string, string> = {
	partners: "/v1/custom-fields#partner",
	leads: "/v1/custom-fields#lead",
	deals: "/v1/custom-fields#lead_deal",
};
export const kindOf = (path: string) => /^\/v1\/([\w-]+)/.exec(path)?.[1] ?? "";

/** The path parameters that lead to the world's own records. */
export function paramsIn({ uuids }: TableWorld, { path }: Operation) {
	const toParameter = (name: string) => {
		if (name === "module") return "api_mcp";
		const parts = path.replace("/{subUuid}", "");
		const collection =
			name !== "subUuid"
				? parentOf(path)
				: parts.endsWith("/custom-fields")
					? (FIELDS[kindOf(path)] as string)
					: parts;
		const uuid = uuids.get(collection);
		if (!uuid) throw new Error(`nothing was made at ${collection}`);
		return uuid;
	};
	return Object.fromEntries(
		[...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [
			name,
			toParameter(name),
		]),
	);
}

/** Members that no schema tells of. */
const MEMBERS: Partial<Record<OperationId, object>> = {
	createCustomFieldRule: { operator: "is_not_blank", lock: false },
	createIntegration: { event_ids: EVENT_IDS.slice(0, -1) },
	createEventSubscription: { event_id: EVENT_IDS.at(-1) },
	// One that is planned can be cancelled.
	rotateIntegrationSecret: { cutover_at: "2999-01-01T00:00:00Z" },
};
/** Changes that are more than any value of a first member. */
const CHANGES: Partial<Record<OperationId, object>> = {
	updateCustomFieldRule: { active: false },
};

/** Values that differ from one operation to the next. */
function withValues(made: object, row: Row, fieldUuid: string | undefined) {
	const value = { text: row.id };
	return {
		...made,
		...("value" in made && row.path.includes("/custom-field") && { value }),
		...("custom_fields" in made && {
			custom_fields: [{ uuid: fieldUuid, value }],
		}),
		...MEMBERS[row.id],
	};
}

/** The body that an operation is called with on the world's own records, or another one with its references to them. */
export function bodyIn(
	{ uuids, others }: TableWorld,
	row: Row,
	plain: object | undefined = CHANGES[row.id] ??
		(row.method === "PATCH" ? changingBodyOf(row) : validBodyOf(row)),
): object | undefined {
	const fieldUuid = uuids.get(FIELDS[kindOf(row.path)] ?? "");
	const made = plain && withValues(plain, row, fieldUuid);
	return made && withReferences(made, row.path, { uuids, others });
}

/** Calls an operation on the world's own records, and remembers what it makes. */
export async function callIn(
	world: TableWorld,
	row: Row,
	members: object = {},
): Promise<Answer> {
	const body = bodyIn(world, row);
	const call: Call = {
		key: world.key,
		params: paramsIn(world, row),
		...(body && { body: { ...body, ...members } }),
		// Deliveries wait for an integration; other operations know no such parameter.
		query: row.id === "deleteIntegration" ? "?force=true" : "",
	};
	const answer = await world.api.call(row.id, call);
	if (answer.status >= 300)
		throw new Error(`${row.id}: ${JSON.stringify([call, answer.body])}`);
	if (/^(create|add)/.test(row.id)) {
		const { uuid, id, options } = answer.body;
		world.uuids.set(row.path, uuid ?? id);
		if (typeof id === "number") world.others.set(uuid, id);
		for (const option of options ?? []) {
			world.uuids.set(OPTION, option.uuid);
			world.others.set(option.uuid, option.id);
		}
	}
	return answer;
}

/** How an operation of a world is called, by a test that watches what it does. */
export type CallInWorld = typeof callIn;

const FIRST = [
	"createIntegration",
	"createPartner",
	"createLead",
	"createDeal",
];
/** Operations that need several records of one kind. */
const KINDS: Partial<Record<OperationId, object[]>> = {
	createPartner: ["reseller", "distributor"].map((partner_type) => ({
		partner_type,
	})),
	createTag: ["partner", "lead", "deal", "resource", "card"].map((type) => ({
		type,
	})),
	createFolder: ["resource", "certification"].map((type) => ({ type })),
	createCustomField: [
		...["partner", "lead", "lead_deal"].map((category) => ({
			category,
			required: false,
		})),
		{
			type: "select",
			category: "lead_deal",
			required: false,
			options: [{ label: "Large" }],
		},
	],
};
/** The members in which the last one differs. */
const LAST: Partial<Record<OperationId, object>> = {
	createTag: { label: "Other" },
	createCustomField: { type: "select", required: false },
};

/**
 * Makes a record by every operation that creates, adds or sets something, so that all others have one to be called
 * on. A new operation takes part without an entry here, unless its body refers to something new.
 */
export async function createTableWorld(
	api: Api,
	key: string,
	call: CallInWorld = callIn,
): Promise<TableWorld> {
	const world: TableWorld = {
		api,
		key,
		uuids: new Map(),
		others: new Map(),
	};
	const takeFirst = async (path: string) => {
		const { body } = await api.request("GET", path, { key });
		const [{ uuid, code }] = body.data;
		world.uuids.set(path, uuid);
		if (code) world.others.set(uuid, code);
	};
	await takeFirst("/v1/users");
	await takeFirst("/v1/currencies");
	const making = rows.filter(
		({ id, method }) => /^(create|add)/.test(id) || method === "PUT",
	);
	const rank = ({ id, path }: Row) =>
		FIRST.includes(id) ? FIRST.indexOf(id) : path.includes("{") ? 9 : 8;
	for (const row of making.sort((a, b) => rank(a) - rank(b))) {
		for (const members of KINDS[row.id] ?? []) {
			await call(world, row, members);
			const [kind] = Object.values(members);
			world.uuids.set(
				`${row.path}#${kind}`,
				world.uuids.get(row.path) as string,
			);
		}
		await call(world, row, LAST[row.id] ?? {});
	}
	await takeFirst("/v1/webhook-events");
	return world;
}
