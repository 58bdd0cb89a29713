import { z } from "zod";

/** Money in whole currency units: small enough that its minor units stay exact (decisions §1). */
export const money = () => z.number().min(-1e12).max(1e12);

/** How many of a product. */
export const quantity = () => z.number().min(0).max(1e9);
