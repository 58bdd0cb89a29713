import { app } from "@azure/functions";
import { http } from "@google-cloud/functions-framework";
import {
	createReceiver,
	type DedupStore,
	type UniqueKey,
} from "@partnerwire/receiver";
import { toAzure } from "@partnerwire/receiver/azure";
import { toExpress } from "@partnerwire/receiver/express";
import { toFastify } from "@partnerwire/receiver/fastify";
import { toH3Handler } from "@partnerwire/receiver/h3";
import { toHono } from "@partnerwire/receiver/hono";
import { toKoa } from "@partnerwire/receiver/koa";
import { postgresStore } from "@partnerwire/receiver/postgres";
import { redisStore } from "@partnerwire/receiver/redis";
import { sqliteStore } from "@partnerwire/receiver/sqlite";
import type {
	ContactPayload,
	DealPayload,
	EventId,
	LeadPayload,
	MessagePayload,
	NotePayload,
	PartnershipPayload,
} from "@partnerwire/wire";
import Database from "better-sqlite3";
import express from "express";
import { fastify } from "fastify";
import { H3 } from "h3";
import { Hono } from "hono";
import { Cluster, Redis } from "ioredis";
import Koa from "koa";
import pg from "pg";
import postgres from "postgres";
import { createClient, createCluster } from "redis";
import { describe, expectTypeOf, test } from "vitest";

const receiver = createReceiver({
	secret: "6f1c2b9e-6a51-4d0b-9a53-7f0d5a0c1e11",
});

describe("the context follows from the event", () => {
	test("one event", () => {
		receiver
			.on("lead_created", (context) => {
				expectTypeOf(context.lead).toEqualTypeOf<LeadPayload>();
				expectTypeOf(context.eventId).toEqualTypeOf<"lead_created">();
				expectTypeOf(context.deal).toEqualTypeOf<undefined>();
				expectTypeOf(context.uniqueKey).toEqualTypeOf<UniqueKey | undefined>();
				expectTypeOf(context.config("x")).toEqualTypeOf<
					ReadonlyMap<string, string> | undefined
				>();
				expectTypeOf(context.authorisation("x")).toEqualTypeOf<
					string | undefined
				>();
				expectTypeOf(context.sequence).toEqualTypeOf<number | undefined>();
				expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
			})
			.on("deal_deleted", ({ deal }) =>
				expectTypeOf(deal).toEqualTypeOf<DealPayload>(),
			)
			.on("partner_updated", ({ partnership }) =>
				expectTypeOf(partnership).toEqualTypeOf<PartnershipPayload>(),
			)
			.on("partner_contact_created", ({ contact }) =>
				expectTypeOf(contact).toEqualTypeOf<ContactPayload>(),
			)
			.on("deal_note_updated", ({ note }) =>
				expectTypeOf(note).toEqualTypeOf<NotePayload>(),
			)
			.on("message_created", ({ message }) =>
				expectTypeOf(message).toEqualTypeOf<MessagePayload>(),
			);
	});

	test("several events, a group, all", () => {
		receiver
			.on(["lead_created", "deal_created"], (context) => {
				expectTypeOf(context.eventId).toEqualTypeOf<
					"lead_created" | "deal_created"
				>();
				expectTypeOf(context.lead).toEqualTypeOf<LeadPayload | undefined>();
				if (context.eventId === "deal_created")
					expectTypeOf(context.deal).toEqualTypeOf<DealPayload>();
			})
			.on("Lead", ({ lead, note }) => {
				expectTypeOf(lead).toEqualTypeOf<LeadPayload | undefined>();
				expectTypeOf(note).toEqualTypeOf<NotePayload | undefined>();
			})
			.on("Message", ({ message, eventId }) => {
				expectTypeOf(message).toEqualTypeOf<MessagePayload>();
				expectTypeOf(eventId).toEqualTypeOf<
					"message_created" | "message_updated" | "message_deleted"
				>();
			})
			.on(["Partner", "message_deleted"], ({ eventId }) =>
				expectTypeOf(eventId).toEqualTypeOf<
					Extract<EventId, `partner_${string}` | "message_deleted">
				>(),
			)
			.on("*", ({ eventId }) => expectTypeOf(eventId).toEqualTypeOf<EventId>());
	});

	test("what does not compile", () => {
		// @ts-expect-error a typing mistake
		receiver.on("lead_craeted", () => {});
		// @ts-expect-error the group's name is Lead
		receiver.on("lead", () => {});
		// @ts-expect-error a lead event has no deal to read
		receiver.on("lead_created", ({ deal }) => deal.uuid);
		// @ts-expect-error the secret is not optional
		createReceiver({});
		createReceiver({ secret: process.env.PARTNERWIRE_WEBHOOK_SECRET });
	});
});

test("the adapters fit their frameworks", () => {
	express().all("/hook", toExpress(receiver));
	fastify().register(toFastify(receiver), { prefix: "/hook" });
	new Koa().use(toKoa(receiver));
	new Hono().all("/hook", toHono(receiver));
	app.http("hook", { handler: toAzure(receiver) });
	http("hook", toExpress(receiver));
	new H3().all("/hook", toH3Handler(receiver));
	createReceiver({ secret: "x", dedup: sqliteStore(new Database(":memory:")) });
});

test("the stores take the drivers' clients", () => {
	const create = (dedup: DedupStore) => createReceiver({ secret: "x", dedup });
	create(redisStore(new Redis()));
	create(redisStore(new Cluster([])));
	create(redisStore(createClient()));
	create(redisStore(createCluster({ rootNodes: [] })));
	create(postgresStore(new pg.Pool()));
	create(postgresStore(new pg.Client()));
	create(postgresStore({} as pg.PoolClient));
	create(postgresStore(postgres()));
	// @ts-expect-error no client of Redis
	create(redisStore(new pg.Pool()));
	// @ts-expect-error no client of PostgreSQL
	create(postgresStore(new Redis()));
});
