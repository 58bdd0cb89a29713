// What a write finds and locks in one statement when it begins, so that it holds until the write ends.

/** A subscriber of events: an integration of the company, locked until the transaction ends. */
export interface LockedIntegration {
	readonly id: number;
	/** The number of its newest delivery. Emitting counts it up. */
	sequence: number;
	readonly status: "active" | "paused";
	readonly onPause: "hold" | "drop";
	readonly ordering: "record" | "none";
	readonly configurationId: number;
	readonly configurationBytes: number;
	readonly eventIds: readonly string[];
}

export interface Standing {
	/** The version of the company's custom fields and rules; null if it never had any. */
	readonly fieldsVersion: string | null;
	readonly defaultCountry: string | null;
	/** Null if they were not locked: on SQLite, and for an operation without events. */
	readonly integrations: readonly LockedIntegration[] | null;
}
