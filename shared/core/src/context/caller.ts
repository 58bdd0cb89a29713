/** Who calls: an API key's company, the user that it acts for, and what it may do. */
export interface Caller {
	readonly companyUuid: string;
	readonly userUuid: string;
	/** The user's name, as the audit log shows it. */
	readonly label: string;
	/** Null for the command line, which acts on the database itself. */
	readonly apiKeyUuid: string | null;
	readonly read: boolean;
	readonly write: boolean;
}
