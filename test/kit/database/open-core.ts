import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { InputOf } from "@partnerwire/contract";
import {
	addApiKey,
	addCompany,
	addUser,
	type Caller,
	type Core,
	createCipher,
	createCore,
	openSqliteStore,
	openStore,
	type Ports,
	type SqliteStoreOptions,
	type Store,
} from "@partnerwire/core";
import { sql } from "drizzle-orm";
import { createClock, type TestClock } from "../clock.ts";
import { createTempFolder } from "../temp-folder.ts";
import { newDatabase, releaseDatabase } from "./database.ts";

export const newDatabasePath = () => join(createTempFolder(), "test.db");

export interface TestCore extends Core {
	readonly clock: TestClock;
	readonly path: string;
	readonly caller: Caller;
	/** Adds a company with one user and one key with all permissions. */
	addCaller(): Promise<Caller>;
	close(): Promise<void>;
}

interface Options {
	path?: string;
	key?: Buffer;
	store?: SqliteStoreOptions;
	ports?: Partial<Ports>;
}

/** Ports for tests without a network: every URL is accepted, and nothing can be sent. */
const NO_NETWORK: Ports = {
	checkWebhookUrl: () => null,
	fixtureOf: () => ({}),
	adviceFor: (failureClass) => `Advice on ${failureClass}.`,
	signWebhook: ({ uuid }) => ({ body: "{}", token: uuid }),
	describeWebhook: ({ url }) => ({ url, headers: {}, claims: {} }),
	probeWebhookUrl: () => Promise.reject(new Error("there is no network")),
	deliverOnce: () => Promise.reject(new Error("there is no network")),
};

/** Opens the core on its own database, with a company to act for. */
export async function openTestCore(options: Options = {}): Promise<TestCore> {
	const path = options.path ?? (await newDatabase());
	const store = options.store
		? openSqliteStore(path, options.store)
		: await openStore(path);
	const clock = createClock();
	const core = await createCore({
		store,
		cipher: createCipher(options.key ?? randomBytes(32)),
		ports: { ...NO_NETWORK, ...options.ports },
		clock,
	});
	const addCaller = () => createCaller(store, clock());
	return {
		...core,
		clock,
		path,
		caller: await addCaller(),
		addCaller,
		async close() {
			await store.close();
			if (!options.path) releaseDatabase(path);
		},
	};
}

function createCaller(store: Store, nowMs: number): Promise<Caller> {
	return store.write(async (db) => {
		const companyUuid = await addCompany(db, { name: "Fernhill" }, nowMs);
		const person = {
			email: "m@x.example",
			firstName: "Mara",
			lastName: "Lind",
		};
		const userUuid = await addUser(db, { companyUuid, ...person }, nowMs);
		const may = { label: "Full", read: true, write: true };
		const key = await addApiKey(db, { companyUuid, userUuid, ...may }, nowMs);
		return {
			companyUuid,
			userUuid,
			label: "Mara Lind",
			apiKeyUuid: key.uuid,
			read: true,
			write: true,
		};
	});
}

/** Creates a partner and answers its uuid. */
export async function addPartner(
	core: Core,
	caller: Caller,
	name = "Globex",
): Promise<string> {
	const body = { name, partner_type: "referral" } as const;
	return (await core.execute("createPartner", { body }, caller)).uuid;
}

/** Creates an integration that is subscribed to all events by default. */
export const addIntegration = (
	core: Core,
	caller: Caller,
	body: Partial<InputOf<"createIntegration">["body"]> = {},
) =>
	core.execute(
		"createIntegration",
		{
			body: { label: "CRM", webhook_url: "https://hooks.example/", ...body },
		},
		caller,
	);

/** The rows of a table, of one company or of all. */
export const rowsOf = async <Name extends keyof Store["tables"]>(
	{ store }: Pick<Core, "store">,
	name: Name,
): Promise<Store["tables"][Name]["$inferSelect"][]> =>
	(await store.read.query
		.select()
		.from(store.tables[name])
		.orderBy(sql`1`)) as never;
