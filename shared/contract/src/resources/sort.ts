import { z } from "zod";

const TIMES = [
	"created_at",
	"-created_at",
	"updated_at",
	"-updated_at",
] as const;

/** The `sort` parameter of a list, by default `-created_at`. A leading minus means descending (docs/decisions.md#lists). */
export const sortQuery = <const Names extends readonly string[] = []>(
	...names: Names
) => z.enum([...TIMES, ...names]).optional();
