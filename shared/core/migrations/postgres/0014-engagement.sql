CREATE TABLE "agreement_template" (
	"uuid" uuid PRIMARY KEY NOT NULL,
	"company_uuid" uuid NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"label" text NOT NULL,
	"content" text,
	"asset_uuid" uuid,
	"status" text NOT NULL
);

CREATE TABLE "agreement" (
	"uuid" uuid PRIMARY KEY NOT NULL,
	"company_uuid" uuid NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"label" text NOT NULL,
	"partnership_uuid" uuid NOT NULL,
	"template_uuid" uuid,
	"asset_uuid" uuid,
	"status" text NOT NULL,
	"signed_at" bigint,
	"expiration_date" text
);

CREATE TABLE "marketing_template" (
	"uuid" uuid PRIMARY KEY NOT NULL,
	"company_uuid" uuid NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"subject" text,
	"content" text,
	"asset_uuid" uuid,
	"status" text NOT NULL
);

CREATE TABLE "campaign" (
	"uuid" uuid PRIMARY KEY NOT NULL,
	"company_uuid" uuid NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"archived_at" bigint,
	"label" text NOT NULL,
	"description" text,
	"template_uuid" uuid,
	"asset_uuid" uuid,
	"status" text NOT NULL,
	"starts_at" bigint,
	"ends_at" bigint
);

CREATE TABLE "card" (
	"uuid" uuid PRIMARY KEY NOT NULL,
	"company_uuid" uuid NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"status" text NOT NULL,
	"due_date" text,
	"asset_uuid" uuid
);

CREATE TABLE "automation" (
	"uuid" uuid PRIMARY KEY NOT NULL,
	"company_uuid" uuid NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"name" text NOT NULL,
	"trigger_event_id" text NOT NULL,
	"conditions" jsonb NOT NULL,
	"actions" jsonb NOT NULL,
	"status" text NOT NULL
);

ALTER TABLE "integration" ADD COLUMN "inactive_event_ids" jsonb;
ALTER TABLE "agreement_template" ADD CONSTRAINT "agreement_template_company_uuid_company_uuid_fk" FOREIGN KEY ("company_uuid") REFERENCES "company"("uuid") ON DELETE no action ON UPDATE no action;
ALTER TABLE "agreement_template" ADD CONSTRAINT "agreement_template_asset_uuid_asset_uuid_fk" FOREIGN KEY ("asset_uuid") REFERENCES "asset"("uuid") ON DELETE no action ON UPDATE no action;
ALTER TABLE "agreement" ADD CONSTRAINT "agreement_company_uuid_company_uuid_fk" FOREIGN KEY ("company_uuid") REFERENCES "company"("uuid") ON DELETE no action ON UPDATE no action;
ALTER TABLE "agreement" ADD CONSTRAINT "agreement_partnership_uuid_partner_uuid_fk" FOREIGN KEY ("partnership_uuid") REFERENCES "partner"("uuid") ON DELETE no action ON UPDATE no action;
ALTER TABLE "agreement" ADD CONSTRAINT "agreement_template_uuid_agreement_template_uuid_fk" FOREIGN KEY ("template_uuid") REFERENCES "agreement_template"("uuid") ON DELETE no action ON UPDATE no action;
ALTER TABLE "agreement" ADD CONSTRAINT "agreement_asset_uuid_asset_uuid_fk" FOREIGN KEY ("asset_uuid") REFERENCES "asset"("uuid") ON DELETE no action ON UPDATE no action;
ALTER TABLE "marketing_template" ADD CONSTRAINT "marketing_template_company_uuid_company_uuid_fk" FOREIGN KEY ("company_uuid") REFERENCES "company"("uuid") ON DELETE no action ON UPDATE no action;
ALTER TABLE "marketing_template" ADD CONSTRAINT "marketing_template_asset_uuid_asset_uuid_fk" FOREIGN KEY ("asset_uuid") REFERENCES "asset"("uuid") ON DELETE no action ON UPDATE no action;
ALTER TABLE "campaign" ADD CONSTRAINT "campaign_company_uuid_company_uuid_fk" FOREIGN KEY ("company_uuid") REFERENCES "company"("uuid") ON DELETE no action ON UPDATE no action;
ALTER TABLE "campaign" ADD CONSTRAINT "campaign_template_uuid_marketing_template_uuid_fk" FOREIGN KEY ("template_uuid") REFERENCES "marketing_template"("uuid") ON DELETE no action ON UPDATE no action;
ALTER TABLE "campaign" ADD CONSTRAINT "campaign_asset_uuid_asset_uuid_fk" FOREIGN KEY ("asset_uuid") REFERENCES "asset"("uuid") ON DELETE no action ON UPDATE no action;
ALTER TABLE "card" ADD CONSTRAINT "card_company_uuid_company_uuid_fk" FOREIGN KEY ("company_uuid") REFERENCES "company"("uuid") ON DELETE no action ON UPDATE no action;
ALTER TABLE "card" ADD CONSTRAINT "card_asset_uuid_asset_uuid_fk" FOREIGN KEY ("asset_uuid") REFERENCES "asset"("uuid") ON DELETE no action ON UPDATE no action;
ALTER TABLE "automation" ADD CONSTRAINT "automation_company_uuid_company_uuid_fk" FOREIGN KEY ("company_uuid") REFERENCES "company"("uuid") ON DELETE no action ON UPDATE no action;
CREATE INDEX "agreement_template_list" ON "agreement_template" USING btree ("company_uuid","created_at");
CREATE INDEX "agreement_template_asset" ON "agreement_template" USING btree ("asset_uuid");
CREATE INDEX "agreement_list" ON "agreement" USING btree ("company_uuid","created_at");
CREATE INDEX "agreement_partnership" ON "agreement" USING btree ("partnership_uuid","created_at");
CREATE INDEX "agreement_of_template" ON "agreement" USING btree ("template_uuid");
CREATE INDEX "agreement_asset" ON "agreement" USING btree ("asset_uuid");
CREATE INDEX "marketing_template_list" ON "marketing_template" USING btree ("company_uuid","created_at");
CREATE INDEX "marketing_template_asset" ON "marketing_template" USING btree ("asset_uuid");
CREATE INDEX "campaign_list" ON "campaign" USING btree ("company_uuid","created_at");
CREATE INDEX "campaign_of_template" ON "campaign" USING btree ("template_uuid");
CREATE INDEX "campaign_asset" ON "campaign" USING btree ("asset_uuid");
CREATE INDEX "card_list" ON "card" USING btree ("company_uuid","created_at");
CREATE INDEX "card_asset" ON "card" USING btree ("asset_uuid");
CREATE INDEX "automation_list" ON "automation" USING btree ("company_uuid","created_at");
