import * as z from "zod";
import { Uuid } from "./uuid.ts";

/** The answer of every DELETE (docs/decisions.md#delete). */
export const Success = z.object({ success: z.literal(true) });
export type Success = z.infer<typeof Success>;

export const RecordParams = z.object({ uuid: Uuid });
export type RecordParams = typeof RecordParams;
/** Path parameters of a record under a parent: `{uuid}` is the parent (docs/contract.md#conventions). */
export const SubRecordParams = z.object({ uuid: Uuid, subUuid: Uuid });

export const NoParams = z.object({});
export type NoParams = typeof NoParams;
