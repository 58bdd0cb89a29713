-- What drizzle generated, with one statement for each table: an index that several of its columns are in is built once.
-- Text is ordered by code points, and its case is folded by Unicode, as on SQLite, whatever the locale of the database is.
DROP INDEX partner_search_name;
DROP INDEX partner_search_email;
DROP INDEX lead_search_company_name;
DROP INDEX lead_search_first_name;
DROP INDEX lead_search_last_name;
DROP INDEX lead_search_email;
DROP INDEX deal_search_label;
DROP INDEX product_search_name;
DROP INDEX product_search_sku;
DROP INDEX contact_search_email;
DROP INDEX contact_search_first_name;
DROP INDEX contact_search_last_name;
ALTER TABLE "company"
	ALTER COLUMN "name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "domain" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "default_country" SET DATA TYPE text COLLATE "C";
ALTER TABLE "company_module"
	ALTER COLUMN "module" SET DATA TYPE text COLLATE "C";
ALTER TABLE "user_account"
	ALTER COLUMN "email" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "first_name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "last_name" SET DATA TYPE text COLLATE "C";
ALTER TABLE "api_key"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "hint" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "hash" SET DATA TYPE text COLLATE "C";
ALTER TABLE "session"
	ALTER COLUMN "hash" SET DATA TYPE text COLLATE "C";
ALTER TABLE "stage"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "entity" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "partner_type" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "phase" SET DATA TYPE text COLLATE "C";
ALTER TABLE "tier"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "label_key" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "background_color" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "text_color" SET DATA TYPE text COLLATE "C";
ALTER TABLE "category"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "label_key" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "background_color" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "text_color" SET DATA TYPE text COLLATE "C";
ALTER TABLE "tag"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "label_key" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "background_color" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "text_color" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "type" SET DATA TYPE text COLLATE "C";
ALTER TABLE "currency"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "code" SET DATA TYPE text COLLATE "C";
ALTER TABLE "attribution"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "label_key" SET DATA TYPE text COLLATE "C";
ALTER TABLE "partner_role"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "label_key" SET DATA TYPE text COLLATE "C";
ALTER TABLE "partner"
	ALTER COLUMN "name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "email" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "phone_number" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "website_url" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "description" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "partner_type" SET DATA TYPE text COLLATE "C";
ALTER TABLE "lead"
	ALTER COLUMN "company_name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "email" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "first_name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "last_name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "phone_number" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "website" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "status" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "source" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "direction" SET DATA TYPE text COLLATE "C";
ALTER TABLE "deal"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "expiration_date" SET DATA TYPE text COLLATE "C";
ALTER TABLE "note"
	ALTER COLUMN "content" SET DATA TYPE text COLLATE "C";
ALTER TABLE "contact"
	ALTER COLUMN "first_name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "last_name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "email" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "email_key" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "phone_number" SET DATA TYPE text COLLATE "C";
ALTER TABLE "partner_domain"
	ALTER COLUMN "domain" SET DATA TYPE text COLLATE "C";
ALTER TABLE "custom_field"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "type" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "category" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "partner_type" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "help_text" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "link" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "placeholder" SET DATA TYPE text COLLATE "C";
ALTER TABLE "custom_field_option"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C";
ALTER TABLE "custom_field_rule"
	ALTER COLUMN "category" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "partner_type" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "kind" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "operator" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "trigger_value" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "value" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "map" SET DATA TYPE text COLLATE "C";
ALTER TABLE "custom_field_values"
	ALTER COLUMN "category" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "json" SET DATA TYPE text COLLATE "C";
ALTER TABLE "asset"
	ALTER COLUMN "url" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "category" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "file_name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "mime_type" SET DATA TYPE text COLLATE "C";
ALTER TABLE "folder"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "type" SET DATA TYPE text COLLATE "C";
ALTER TABLE "resource"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "type" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "summary" SET DATA TYPE text COLLATE "C";
ALTER TABLE "certification"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "summary" SET DATA TYPE text COLLATE "C";
ALTER TABLE "enrollment"
	ALTER COLUMN "status" SET DATA TYPE text COLLATE "C";
ALTER TABLE "room"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "room_type" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "partner_type" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "visibility" SET DATA TYPE text COLLATE "C";
ALTER TABLE "block"
	ALTER COLUMN "type" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "title" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "content" SET DATA TYPE text COLLATE "C";
ALTER TABLE "secure_file"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C";
ALTER TABLE "agreement_template"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "content" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "status" SET DATA TYPE text COLLATE "C";
ALTER TABLE "agreement"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "status" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "expiration_date" SET DATA TYPE text COLLATE "C";
ALTER TABLE "marketing_template"
	ALTER COLUMN "name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "type" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "subject" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "content" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "status" SET DATA TYPE text COLLATE "C";
ALTER TABLE "campaign"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "description" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "status" SET DATA TYPE text COLLATE "C";
ALTER TABLE "card"
	ALTER COLUMN "title" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "description" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "status" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "due_date" SET DATA TYPE text COLLATE "C";
ALTER TABLE "automation"
	ALTER COLUMN "name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "trigger_event_id" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "status" SET DATA TYPE text COLLATE "C";
ALTER TABLE "product"
	ALTER COLUMN "name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "sku" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "description" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "billing_type" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "billing_period" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "status" SET DATA TYPE text COLLATE "C";
ALTER TABLE "payment"
	ALTER COLUMN "payment_date" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "category" SET DATA TYPE text COLLATE "C";
ALTER TABLE "quote"
	ALTER COLUMN "quote_number" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "valid_from" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "valid_until" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "notes" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "terms" SET DATA TYPE text COLLATE "C";
ALTER TABLE "lead_attribution"
	ALTER COLUMN "attributed_date" SET DATA TYPE text COLLATE "C";
ALTER TABLE "pricing_calculator"
	ALTER COLUMN "name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "description" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "status" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "submission_mode" SET DATA TYPE text COLLATE "C";
ALTER TABLE "pricing_calculator_field"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "field_type" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "variable_name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "variable_key" SET DATA TYPE text COLLATE "C";
ALTER TABLE "pricing_calculator_product"
	ALTER COLUMN "quantity_type" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "quantity_variable_name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "quantity_condition" SET DATA TYPE text COLLATE "C";
ALTER TABLE "pricing_calculator_formula"
	ALTER COLUMN "name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "condition" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "formula_type" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "calculation_type" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "billing_type" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "percentage_base" SET DATA TYPE text COLLATE "C";
ALTER TABLE "deal_commission"
	ALTER COLUMN "calculation" SET DATA TYPE text COLLATE "C";
ALTER TABLE "commission_rule"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "partner_type" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "calculation" SET DATA TYPE text COLLATE "C";
ALTER TABLE "task"
	ALTER COLUMN "title" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "content" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "status" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "priority" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "due_date" SET DATA TYPE text COLLATE "C";
ALTER TABLE "integration"
	ALTER COLUMN "label" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "webhook_url" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "status" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "pause_reason" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "on_pause" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "ordering" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "secret" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "next_secret" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "api_key" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "external_settings" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "last_error" SET DATA TYPE text COLLATE "C";
ALTER TABLE "integration_configuration"
	ALTER COLUMN "json" SET DATA TYPE text COLLATE "C";
ALTER TABLE "event"
	ALTER COLUMN "event_id" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "entity" SET DATA TYPE text COLLATE "C";
ALTER TABLE "delivery"
	ALTER COLUMN "state" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "due_rule" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "last_error" SET DATA TYPE text COLLATE "C";
ALTER TABLE "attempt"
	ALTER COLUMN "failure_class" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "failure_stage" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "failure_code" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "message" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "address" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "response_body" SET DATA TYPE text COLLATE "C";
ALTER TABLE "webhook_replay"
	ALTER COLUMN "status" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "reason" SET DATA TYPE text COLLATE "C";
ALTER TABLE "alert"
	ALTER COLUMN "kind" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "body" SET DATA TYPE text COLLATE "C";
ALTER TABLE "audit"
	ALTER COLUMN "entity" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "action" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "actor" SET DATA TYPE text COLLATE "C";
ALTER TABLE "idempotency"
	ALTER COLUMN "scope" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "body_hash" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "answer" SET DATA TYPE text COLLATE "C";
ALTER TABLE "record_count"
	ALTER COLUMN "kind" SET DATA TYPE text COLLATE "C";
ALTER TABLE "setting"
	ALTER COLUMN "name" SET DATA TYPE text COLLATE "C",
	ALTER COLUMN "value" SET DATA TYPE text COLLATE "C";
CREATE INDEX partner_search_name ON partner USING gin (translate(lower(normalize(name, NFC) COLLATE "und-x-icu"), E'\u03C2\u0001', E'\u03C3 ') gin_trgm_ops);
CREATE INDEX partner_search_email ON partner USING gin (translate(lower(normalize(email, NFC) COLLATE "und-x-icu"), E'\u03C2\u0001', E'\u03C3 ') gin_trgm_ops);
CREATE INDEX lead_search_company_name ON lead USING gin (translate(lower(normalize(company_name, NFC) COLLATE "und-x-icu"), E'\u03C2\u0001', E'\u03C3 ') gin_trgm_ops);
CREATE INDEX lead_search_first_name ON lead USING gin (translate(lower(normalize(first_name, NFC) COLLATE "und-x-icu"), E'\u03C2\u0001', E'\u03C3 ') gin_trgm_ops);
CREATE INDEX lead_search_last_name ON lead USING gin (translate(lower(normalize(last_name, NFC) COLLATE "und-x-icu"), E'\u03C2\u0001', E'\u03C3 ') gin_trgm_ops);
CREATE INDEX lead_search_email ON lead USING gin (translate(lower(normalize(email, NFC) COLLATE "und-x-icu"), E'\u03C2\u0001', E'\u03C3 ') gin_trgm_ops);
CREATE INDEX deal_search_label ON deal USING gin (translate(lower(normalize(label, NFC) COLLATE "und-x-icu"), E'\u03C2\u0001', E'\u03C3 ') gin_trgm_ops);
CREATE INDEX product_search_name ON product USING gin (translate(lower(normalize(name, NFC) COLLATE "und-x-icu"), E'\u03C2\u0001', E'\u03C3 ') gin_trgm_ops);
CREATE INDEX product_search_sku ON product USING gin (translate(lower(normalize(sku, NFC) COLLATE "und-x-icu"), E'\u03C2\u0001', E'\u03C3 ') gin_trgm_ops);
CREATE INDEX contact_search_email ON contact USING gin (translate(lower(normalize(email, NFC) COLLATE "und-x-icu"), E'\u03C2\u0001', E'\u03C3 ') gin_trgm_ops);
CREATE INDEX contact_search_first_name ON contact USING gin (translate(lower(normalize(first_name, NFC) COLLATE "und-x-icu"), E'\u03C2\u0001', E'\u03C3 ') gin_trgm_ops);
CREATE INDEX contact_search_last_name ON contact USING gin (translate(lower(normalize(last_name, NFC) COLLATE "und-x-icu"), E'\u03C2\u0001', E'\u03C3 ') gin_trgm_ops);
