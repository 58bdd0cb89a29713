import * as z from "zod";

/** The largest amount of money: small enough that its minor units stay exact (docs/decisions.md#money). */
export const MAX_MONEY = 1e12;

/** Money in whole currency units. */
export const money = () => z.number().min(-MAX_MONEY).max(MAX_MONEY);

/** How many of a product. */
export const quantity = () => z.number().min(0).max(1e9);

/** A place in an order. A create without it puts the record last. */
export const series = () => z.int().min(0).max(1_000_000);
