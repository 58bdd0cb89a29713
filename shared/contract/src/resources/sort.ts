import { z } from "zod";

const TIMES = [
	"created_at",
	"-created_at",
	"updated_at",
	"-updated_at",
] as const;

/** The `sort` parameter of a list: a leading minus is descending; `-created_at` when left out (decisions §1). */
export const sortQuery = <const Names extends readonly string[] = []>(
	...names: Names
) => z.enum([...TIMES, ...names]).optional();
