import { createHash, timingSafeEqual } from "node:crypto";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Whether two secrets are equal, in a time that says nothing of where they differ. */
export const isEqual = (a: string, b: string): boolean =>
	timingSafeEqual(digest(a), digest(b));
