CREATE TABLE "asset" (
	"uuid" uuid PRIMARY KEY NOT NULL,
	"company_uuid" uuid NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"url" text NOT NULL,
	"category" text NOT NULL,
	"file_name" text,
	"mime_type" text
);

CREATE TABLE "folder" (
	"uuid" uuid PRIMARY KEY NOT NULL,
	"company_uuid" uuid NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"label" text NOT NULL,
	"type" text NOT NULL,
	"parent_uuid" uuid
);

ALTER TABLE "asset" ADD CONSTRAINT "asset_company_uuid_company_uuid_fk" FOREIGN KEY ("company_uuid") REFERENCES "company"("uuid") ON DELETE no action ON UPDATE no action;
ALTER TABLE "folder" ADD CONSTRAINT "folder_company_uuid_company_uuid_fk" FOREIGN KEY ("company_uuid") REFERENCES "company"("uuid") ON DELETE no action ON UPDATE no action;
ALTER TABLE "folder" ADD CONSTRAINT "folder_parent_uuid_folder_uuid_fk" FOREIGN KEY ("parent_uuid") REFERENCES "folder"("uuid") ON DELETE no action ON UPDATE no action;
CREATE INDEX "asset_list" ON "asset" USING btree ("company_uuid","created_at");
CREATE INDEX "folder_list" ON "folder" USING btree ("company_uuid","created_at");
CREATE INDEX "folder_parent" ON "folder" USING btree ("parent_uuid");
