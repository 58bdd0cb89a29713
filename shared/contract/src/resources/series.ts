import { z } from "zod";

/** A place in an order; what leaves it out on create comes last. */
export const series = () => z.int().min(0).max(1_000_000);
