/** The caller of an operation: the API key's company, the user it acts for, and its permissions. */
export interface Caller {
	readonly companyUuid: string;
	readonly userUuid: string;
	/** The user's name, as the audit log shows it. */
	readonly label: string;
	/** Null for the command line, which works on the database directly. */
	readonly apiKeyUuid: string | null;
	readonly read: boolean;
	readonly write: boolean;
}
