import {
	Deal,
	DealCreate,
	DealUpdate,
	dealFilters,
} from "../resources/deal.ts";
import {
	Lead,
	LeadCreate,
	LeadUpdate,
	leadFilters,
} from "../resources/lead.ts";
import { Note, NoteCreate, NoteUpdate } from "../resources/note.ts";
import {
	Partner,
	PartnerCreate,
	PartnerUpdate,
	partnerFilters,
} from "../resources/partner.ts";
import { crud, nestedCrud } from "../table/crud.ts";

/* Partners, leads and deals, their notes and contacts. Their other parts are in *-parts.ts and links.ts. */

export const partnerOperations = crud({
	noun: "Partner",
	plural: "Partners",
	removal: "archive",
	path: "/v1/partners",
	item: Partner,
	create: PartnerCreate,
	update: PartnerUpdate,
	filters: partnerFilters,
	emits: {
		create: ["partner_created"],
		update: ["partner_updated"],
		remove: ["partner_updated"],
	},
});

export const leadOperations = crud({
	noun: "Lead",
	plural: "Leads",
	removal: "archive",
	path: "/v1/leads",
	item: Lead,
	create: LeadCreate,
	update: LeadUpdate,
	filters: leadFilters,
	emits: {
		create: ["lead_created"],
		update: ["lead_updated"],
		remove: ["lead_deleted"],
	},
});

export const dealOperations = crud({
	noun: "Deal",
	plural: "Deals",
	removal: "archive",
	path: "/v1/deals",
	item: Deal,
	create: DealCreate,
	update: DealUpdate,
	filters: dealFilters,
	emits: {
		create: ["deal_created"],
		update: ["deal_updated"],
		remove: ["deal_deleted"],
	},
});

const notes = {
	segment: "notes",
	item: Note,
	create: NoteCreate,
	update: NoteUpdate,
};

export const leadNoteOperations = nestedCrud({
	...notes,
	noun: "LeadNote",
	plural: "LeadNotes",
	parent: "/v1/leads/{uuid}",
	group: "Leads",
	emits: {
		create: ["lead_note_created"],
		update: ["lead_note_updated"],
		remove: ["lead_note_deleted"],
	},
});

export const dealNoteOperations = nestedCrud({
	...notes,
	noun: "DealNote",
	plural: "DealNotes",
	parent: "/v1/deals/{uuid}",
	group: "Deals",
	emits: {
		create: ["deal_note_created"],
		update: ["deal_note_updated"],
		remove: ["deal_note_deleted"],
	},
});
