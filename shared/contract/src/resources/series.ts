import { z } from "zod";

/** A place in an order. A create without it puts the record last. */
export const series = () => z.int().min(0).max(1_000_000);
