import type * as z from "zod";
import type { Operation } from "../../src/table/operation.ts";
import type {
	NoParams,
	SubRecordParams,
	Success,
} from "../../src/table/params.ts";

export type Sub = typeof SubRecordParams;
export type Done = typeof Success;

/** A row that reads. */
export type Read<
	Params extends z.ZodType,
	Query extends z.ZodType,
	Response extends z.ZodType,
> = Operation<"read", "GET", Params, Query, null, Response>;
/** A row that changes records and takes no query. */
export type Write<
	Verb extends "POST" | "PUT" | "PATCH" | "DELETE",
	Params extends z.ZodType,
	Body extends z.ZodType | null,
	Response extends z.ZodType,
> = Operation<"write", Verb, Params, NoParams, Body, Response>;
/** An intersection as one object. */
export type Merged<Shape> = { [Member in keyof Shape]: Shape[Member] };
