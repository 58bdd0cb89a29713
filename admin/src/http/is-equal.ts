import { createHash, timingSafeEqual } from "node:crypto";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Whether two secrets are equal. The time of the comparison does not tell where they differ. */
export const isEqual = (a: string, b: string): boolean =>
	timingSafeEqual(digest(a), digest(b));
