import type { OperationId } from "../operations.ts";

/** The operations that an assistant is offered as MCP tools, each with when and how to use it (docs/mcp.md#the-tools). */
export const TOOLS = {
	listPartners:
		"Find partners by name, type, stage, tier, category, tag or assigned user. A partner's uuid is the partnership_uuid that leads, contacts and tasks refer to.",
	getPartner:
		"Read one partner with its tags, users, domains and custom fields.",
	createPartner:
		"Add a partner. Its type (referral, reseller or distributor) decides which stages and custom fields it may have. A custom field's value is one of {text}, {number}, {date}, {boolean}, {select: option id}, {multi_select: [option ids]}.",
	updatePartner:
		"Change a partner; members that are left out stay as they are.",
	listLeads:
		"Find leads by text, partner, status, stage, tag or assigned user, the newest first.",
	getLead: "Read one lead with its contacts, tags, users and custom fields.",
	createLead:
		"Register a lead for a partner. Read getLeadRequirements of that partner first: it says which custom fields are required. A custom field's value is one of {text}, {number}, {date}, {boolean}, {select: option id}, {multi_select: [option ids]}.",
	updateLead: "Change a lead; members that are left out stay as they are.",
	listDeals:
		"Find deals by text, lead, partner, stage, tag or assigned user, the newest first.",
	getDeal:
		"Read one deal with its value, stage, partner, users and custom fields.",
	createDeal:
		"Open a deal on a lead. Read getDealRequirements of the lead's partner first: it says which custom fields are required, written as in createLead.",
	updateDeal:
		"Change a deal, for example move it to another stage (listDealStages names them).",
	listDealStages:
		"The stages a deal can be in; stage_uuid refers to one of them.",
	listLeadStages:
		"The stages a lead can be in; stage_uuid refers to one of them.",
	listUsers: "The company's users, whom records and tasks can be assigned to.",
	listContacts: "Find the people at partners, over all partners or at one.",
	getContact: "Read one person at a partner.",
	createContact:
		"Add a person at a partner; an e-mail address occurs once per partner.",
	updateContact: "Change a person at a partner.",
	listLeadNotes: "Read the notes on a lead.",
	createLeadNote: "Write a note on a lead.",
	listDealNotes: "Read the notes on a deal.",
	createDealNote: "Write a note on a deal.",
	listTasks:
		"Find tasks by text, status, priority, assigned user, lead, deal or partner.",
	createTask:
		"Add a task, on a lead, a deal or a partner, and assign it to users; its content is Markdown.",
	updateTask: "Change a task, for example its status or who it is assigned to.",
	getLeadRequirements:
		"What a lead of this partner must and may have: standard members, custom fields and their rules.",
	getDealRequirements:
		"What a deal of this partner must and may have: standard members, custom fields and their rules.",
	listIntegrations:
		"The webhook integrations with their health: what is delivered, failing, pending, held or given up.",
	getIntegration: "One integration with its settings and health.",
	updateIntegration:
		"Change an integration's label, URL, events, configuration or retry schedule; a URL of another scheme, host or port removes its API key and external settings.",
	pauseIntegration:
		"Stop deliveries of an integration; events are kept and held until it is resumed.",
	resumeIntegration:
		"Let an integration's deliveries go again, held ones first and in order.",
	testIntegration:
		"Send one test event to the integration's URL now and see the whole exchange with advice.",
	listWebhookEvents:
		"Find deliveries by integration, event, status or record, the newest first.",
	getWebhookEvent:
		"One delivery with its attempts, and in a sentence why it is where it is and what happens next.",
	createCertificationEnrollment:
		"Enrol a user in a certification, for a partner or on their own.",
	listEnrollmentAnalytics:
		"Who is in_progress, completed or failed in which certification over a period, with progress and best score.",
	updateCertificationEnrollment:
		"Record a learner's progress or score: the status (in_progress, completed, failed) follows from it.",
	listAuditLog: "Who changed what and when, by record, action or person.",
} as const satisfies Partial<Record<OperationId, string>>;

export type ToolName = keyof typeof TOOLS;
export const TOOL_NAMES = Object.keys(TOOLS) as ToolName[];
