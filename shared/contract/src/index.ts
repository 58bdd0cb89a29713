/* The package `@partnerwire/contract`: the operation table, with the schemas of all resources and events. */

export { WebhookClaims } from "./claims.ts";
export {
	Configuration,
	ConfigurationEntry,
	ExternalSettings,
} from "./configuration.ts";
export { agreementTemplates } from "./groups/agreement-templates.ts";
export { agreements } from "./groups/agreements.ts";
export { assets } from "./groups/assets.ts";
export { automations } from "./groups/automations.ts";
export { campaigns } from "./groups/campaigns.ts";
export { cards } from "./groups/cards.ts";
export { EventSubscription } from "./groups/event-subscriptions.ts";
export { EventType } from "./groups/event-types.ts";
export { FolderType, folders } from "./groups/folders.ts";
export { marketingTemplates } from "./groups/marketing-templates.ts";
export { MOST_GIVEN_UP } from "./most-given-up.ts";
export {
	createOpenApi,
	type OpenApiDocument,
	type OpenApiOperation,
} from "./openapi/create-openapi.ts";
export { RELEASE_PER_SECOND } from "./operations/integrations.ts";
export {
	type ArgumentsOf,
	type InputOf,
	OPERATION_IDS,
	type OperationId,
	type Operations,
	operations,
	type ResponseOf,
} from "./operations.ts";
export {
	ContactPayload,
	DealPayload,
	eventBodySchema,
	eventJsonSchema,
	LeadPayload,
	MessagePayload,
	NotePayload,
	PartnershipPayload,
	payloadMembersOf,
} from "./payloads.ts";
export {
	Account,
	AccountModule,
	AccountModuleUpdate,
	AccountPermissions,
} from "./resources/account.ts";
export {
	AnalyticsPeriod,
	type AnalyticsQuery,
	LeadsTimeline,
	LmsSummary,
	PartnerCommissions,
	PartnerEngagement,
	PartnerFigures,
} from "./resources/analytics.ts";
export { ApiKey, ApiKeyCreate, ApiKeyCreated } from "./resources/api-key.ts";
export { AuditEntry, AuditEntryChange } from "./resources/audit-entry.ts";
export {
	AutomationAction,
	AutomationCondition,
} from "./resources/automation.ts";
export {
	Block,
	BlockCreate,
	BlockType,
	BlockUpdate,
} from "./resources/block.ts";
export {
	Certification,
	CertificationCreate,
	CertificationUpdate,
} from "./resources/certification.ts";
export {
	Attribution,
	Category,
	Currency,
	Stage,
	Tag,
	TagType,
	Tier,
	User,
} from "./resources/configuration.ts";
export {
	Contact,
	ContactUpdate,
	PartnerContactCreate,
} from "./resources/contact.ts";
export {
	CustomField,
	CustomFieldCategory,
	CustomFieldChoice,
	CustomFieldCreate,
	CustomFieldInputs,
	CustomFieldOption,
	CustomFieldOptionCreate,
	CustomFieldOptionUpdate,
	CustomFieldType,
	CustomFieldUpdate,
	hasOptions,
} from "./resources/custom-field.ts";
export {
	CustomFieldRule,
	CustomFieldRuleCreate,
	CustomFieldRuleKind,
	CustomFieldRuleOperator,
	CustomFieldRuleUpdate,
} from "./resources/custom-field-rule.ts";
export {
	CustomFieldValueCreate,
	RecordCustomField,
	StoredCustomFieldValue,
} from "./resources/custom-field-value.ts";
export { Deal, DealCreate, DealUpdate } from "./resources/deal.ts";
export {
	DealPartner,
	DealPartnerAdd,
	PartnerRole,
	PartnerRoleCreate,
	PartnerRoleUpdate,
} from "./resources/deal-partner.ts";
export {
	Enrollment,
	EnrollmentCreate,
	EnrollmentRow,
	EnrollmentStatus,
	EnrollmentUpdate,
} from "./resources/enrollment.ts";
export {
	Integration,
	IntegrationCreate,
	IntegrationUpdate,
	IntegrationWithSecret,
	MAX_RETRY_DELAY_S,
	OnPause,
	Ordering,
	ResumePreview,
	RetrySchedule,
	RevealedSecret,
	TestRequest,
	TestResult,
} from "./resources/integration.ts";
export {
	Lead,
	LeadContact,
	LeadCreate,
	LeadDirection,
	LeadStatus,
	LeadUpdate,
} from "./resources/lead.ts";
export {
	LeadAttribution,
	LeadAttributionCreate,
	LeadAttributionUpdate,
} from "./resources/lead-attribution.ts";
export { MAX_MONEY } from "./resources/money.ts";
export { Note, NoteCreate, NoteUpdate } from "./resources/note.ts";
export { Partner, PartnerCreate, PartnerUpdate } from "./resources/partner.ts";
export {
	PartnerDomain,
	PartnerDomainCreate,
	PartnerDomainUpdate,
} from "./resources/partner-domain.ts";
export { Payment, PaymentCreate, PaymentUpdate } from "./resources/payment.ts";
export {
	BillingPeriod,
	BillingType,
	Product,
	ProductCreate,
	ProductRef,
	ProductUpdate,
	RecordProduct,
	RecordProductCreate,
	RecordProductUpdate,
} from "./resources/product.ts";
export { Quote, QuotePut } from "./resources/quote.ts";
export {
	CurrencyRef,
	CustomFieldValue,
	LabelRef,
	PartnershipRef,
	PartnerType,
	UserRef,
} from "./resources/references.ts";
export { Requirements } from "./resources/requirements.ts";
export {
	Resource,
	ResourceCreate,
	ResourceType,
	ResourceUpdate,
} from "./resources/resource.ts";
export {
	Room,
	RoomCreate,
	RoomPartnership,
	RoomUpdate,
	RoomVisibility,
	SecureFile,
	SecureFileCreate,
	SecureFileUpdate,
} from "./resources/room.ts";
export {
	Task,
	TaskCreate,
	TaskPriority,
	TaskStatus,
	TaskUpdate,
} from "./resources/task.ts";
export {
	Ledger,
	LedgerEntry,
	WaitingFor,
	WebhookAttempt,
	WebhookEvent,
	WebhookEventDetail,
	WebhookEventStatus,
} from "./resources/webhook-event.ts";
export { WebhookFeed, WebhookFeedItem } from "./resources/webhook-feed.ts";
export {
	PurgeableStatus,
	ReplayableStatus,
	WebhookPurge,
	WebhookPurgeResult,
	WebhookReplay,
	WebhookReplayCreate,
	WebhookReplayStatus,
} from "./resources/webhook-replay.ts";
export {
	WebhookUrlProbe,
	WebhookUrlProbeRequest,
} from "./resources/webhook-url-probe.ts";
export {
	ApiError,
	ERROR_STATUS,
	type ErrorCode,
	invalidMembers,
	notFound,
} from "./table/api-error.ts";
export { ErrorBody, ErrorDetail } from "./table/errors.ts";
export { isUuid, MAX_UUID, NIL_UUID } from "./table/is-uuid.ts";
export { membersOf } from "./table/members-of.ts";
export { MODULE_IDS, MODULES, type ModuleId } from "./table/modules.ts";
export {
	defineAction,
	defineRead,
	defineWrite,
	type Method,
	type Operation,
	type OperationArguments,
	type OperationInput,
	type OperationMode,
	type OperationResponse,
} from "./table/operation.ts";
export { type Page, Pagination } from "./table/pagination.ts";
export { RecordParams, SubRecordParams, Success } from "./table/params.ts";
export { definePlain, type PlainDefinition } from "./table/plain.ts";
export {
	calendarDate,
	email,
	instant,
	requiredLine,
	text,
} from "./table/text.ts";
export { Uuid } from "./table/uuid.ts";
export { createTools, type Tool } from "./tools/create-tools.ts";
export {
	type ToolInput,
	toOperationInput,
} from "./tools/to-operation-input.ts";
export { TOOL_NAMES, TOOLS, type ToolName } from "./tools/tools.ts";
