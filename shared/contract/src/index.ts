/* The package `@partnerwire/contract`: the operation table, with the schemas of all resources and events. */

export {
	createOpenApi,
	type OpenApiDocument,
	type OpenApiOperation,
} from "./openapi/create-openapi.ts";
export {
	type ArgumentsOf,
	type InputOf,
	OPERATION_IDS,
	type OperationId,
	type Operations,
	operations,
	type ResponseOf,
} from "./operations.ts";
export { agreements, agreementTemplates } from "./resources/agreement.ts";
export {
	AnalyticsPeriod,
	type AnalyticsQuery,
	LeadsTimeline,
	LmsSummary,
	PartnerCommissions,
	PartnerEngagement,
	PartnerFigures,
} from "./resources/analytics.ts";
export {
	Attribution,
	LeadAttribution,
	LeadAttributionCreate,
	LeadAttributionUpdate,
} from "./resources/attribution.ts";
export {
	AutomationAction,
	AutomationCondition,
	automations,
} from "./resources/automation.ts";
export { campaigns, marketingTemplates } from "./resources/campaign.ts";
export { cards } from "./resources/card.ts";
export {
	Account,
	AccountModule,
	AccountModuleUpdate,
	AccountPermissions,
} from "./resources/company/account.ts";
export {
	ApiKey,
	ApiKeyCreate,
	ApiKeyCreated,
} from "./resources/company/api-key.ts";
export {
	AuditEntry,
	AuditEntryChange,
} from "./resources/company/audit-entry.ts";
export { Currency } from "./resources/company/currency.ts";
export { User } from "./resources/company/user.ts";
export {
	Contact,
	ContactUpdate,
	PartnerContactCreate,
} from "./resources/contact.ts";
export { assets } from "./resources/content/asset.ts";
export {
	Certification,
	CertificationCreate,
	CertificationUpdate,
} from "./resources/content/certification.ts";
export {
	Block,
	BlockCreate,
	BlockType,
	BlockUpdate,
} from "./resources/content/content.ts";
export {
	Enrollment,
	EnrollmentCreate,
	EnrollmentRow,
	EnrollmentStatus,
	EnrollmentUpdate,
} from "./resources/content/enrollment.ts";
export { FolderType, folders } from "./resources/content/folder.ts";
export {
	Resource,
	ResourceCreate,
	ResourceType,
	ResourceUpdate,
} from "./resources/content/resource.ts";
export {
	Room,
	RoomCreate,
	RoomPartnership,
	RoomUpdate,
	RoomVisibility,
	SecureFile,
	SecureFileCreate,
	SecureFileUpdate,
} from "./resources/content/room.ts";
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
} from "./resources/custom-fields/custom-field.ts";
export {
	CustomFieldRule,
	CustomFieldRuleCreate,
	CustomFieldRuleKind,
	CustomFieldRuleOperator,
	CustomFieldRuleUpdate,
} from "./resources/custom-fields/custom-field-rule.ts";
export {
	CustomFieldValueCreate,
	RecordCustomField,
	StoredCustomFieldValue,
} from "./resources/custom-fields/custom-field-value.ts";
export {
	Deal,
	DealCreate,
	DealUpdate,
	Payment,
	PaymentCreate,
	PaymentUpdate,
} from "./resources/deal.ts";
export {
	DealPartner,
	DealPartnerAdd,
	PartnerRole,
	PartnerRoleCreate,
	PartnerRoleUpdate,
} from "./resources/deal-partner.ts";
export { Category, Tag, TagType, Tier } from "./resources/label.ts";
export {
	Lead,
	LeadContact,
	LeadCreate,
	LeadDirection,
	LeadStatus,
	LeadUpdate,
} from "./resources/lead.ts";
export { Note, NoteCreate, NoteUpdate } from "./resources/note.ts";
export {
	Partner,
	PartnerCreate,
	PartnerDomain,
	PartnerDomainCreate,
	PartnerDomainUpdate,
	PartnerUpdate,
} from "./resources/partner.ts";
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
export { Requirements } from "./resources/requirements.ts";
export { Stage } from "./resources/stage.ts";
export {
	Task,
	TaskCreate,
	TaskPriority,
	TaskStatus,
	TaskUpdate,
} from "./resources/task.ts";
export { EventSubscription } from "./resources/webhooks/event-subscription.ts";
export { EventType } from "./resources/webhooks/event-type.ts";
export {
	Integration,
	IntegrationCreate,
	IntegrationUpdate,
	IntegrationWithSecret,
	OnPause,
	ORIGIN_SECRETS,
	Ordering,
	ResumePreview,
	RetrySchedule,
} from "./resources/webhooks/integration.ts";
export {
	MAX_RETRY_DELAY_S,
	MOST_GIVEN_UP,
	RELEASE_PER_SECOND,
} from "./resources/webhooks/limits.ts";
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
} from "./resources/webhooks/payload.ts";
export { RevealedSecret } from "./resources/webhooks/signing-secret.ts";
export {
	Ledger,
	LedgerEntry,
	WaitingFor,
	WebhookAttempt,
	WebhookEvent,
	WebhookEventDetail,
	WebhookEventStatus,
	WebhookFeed,
	WebhookFeedItem,
} from "./resources/webhooks/webhook-event.ts";
export {
	PurgeableStatus,
	ReplayableStatus,
	WebhookPurge,
	WebhookPurgeResult,
	WebhookReplay,
	WebhookReplayCreate,
	WebhookReplayStatus,
} from "./resources/webhooks/webhook-replay.ts";
export {
	Configuration,
	ConfigurationEntry,
	ExternalSettings,
	WebhookClaims,
} from "./resources/webhooks/webhook-request.ts";
export { TestRequest, TestResult } from "./resources/webhooks/webhook-test.ts";
export {
	WebhookUrlProbe,
	WebhookUrlProbeRequest,
} from "./resources/webhooks/webhook-url-probe.ts";
export {
	ApiError,
	ERROR_STATUS,
	type ErrorCode,
	invalidMembers,
	notFound,
	tellMembers,
} from "./table/api-error.ts";
export { ErrorBody, ErrorDetail } from "./table/errors.ts";
export { findUnknown } from "./table/find-unknown.ts";
export { isUuid, MAX_UUID, NIL_UUID } from "./table/is-uuid.ts";
export { type Page, Pagination } from "./table/list-query.ts";
export { membersOf } from "./table/members-of.ts";
export { MODULE_IDS, MODULES, type ModuleId } from "./table/modules.ts";
export { MAX_MONEY } from "./table/numbers.ts";
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
	STALENESS_HEADER,
} from "./table/operation.ts";
export { RecordParams, SubRecordParams, Success } from "./table/params.ts";
export { definePlain, type PlainDefinition } from "./table/plain.ts";
export {
	CurrencyRef,
	CustomFieldValue,
	LabelRef,
	PartnershipRef,
	PartnerType,
	UserRef,
} from "./table/references.ts";
export {
	calendarDate,
	email,
	instant,
	requiredLine,
	text,
} from "./table/text.ts";
export { Uuid } from "./table/uuid.ts";
export {
	createTools,
	MAX_TOOL_ANSWER_BYTES,
	type Tool,
} from "./tools/create-tools.ts";
export {
	type ToolInput,
	toOperationInput,
} from "./tools/to-operation-input.ts";
export { TOOL_NAMES, TOOLS, type ToolName } from "./tools/tools.ts";
