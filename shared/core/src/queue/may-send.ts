import type { StoredIntegration } from "../secrets/integration-secrets.ts";

/** Whether anything of an integration may be claimed now; the statements that look for claims say the same. */
export const maySend = ({
	status,
	deletedAt,
	relanedTo,
	ordering,
}: Pick<
	StoredIntegration,
	"status" | "deletedAt" | "relanedTo" | "ordering"
>): boolean =>
	status === "active" &&
	deletedAt === null &&
	// While its lanes are being closed, what is ready need not be the first of its lane.
	(relanedTo === null || ordering === "none");
