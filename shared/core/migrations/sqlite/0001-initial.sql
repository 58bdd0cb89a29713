CREATE TABLE `company` (
	`uuid` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`domain` text,
	`default_country` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE TABLE `company_module` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`module` text NOT NULL,
	`enabled` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `company_module_pair` ON `company_module` (`company_uuid`,`module`);
CREATE TABLE `user_account` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`email` text NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `user_list` ON `user_account` (`company_uuid`,`created_at`);
CREATE TABLE `api_key` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`user_uuid` text NOT NULL,
	`label` text NOT NULL,
	`hint` text NOT NULL,
	`hash` text NOT NULL,
	`read` integer NOT NULL,
	`write` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_uuid`) REFERENCES `user_account`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `api_key_hash` ON `api_key` (`hash`);
CREATE INDEX `api_key_list` ON `api_key` (`company_uuid`,`created_at`);
CREATE TABLE `stage` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`company_uuid` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`entity` text NOT NULL,
	`partner_type` text,
	`phase` text,
	`series` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `stage_uuid` ON `stage` (`uuid`);
CREATE INDEX `stage_list` ON `stage` (`company_uuid`,`entity`,`series`);
CREATE TABLE `tier` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`company_uuid` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`background_color` text,
	`text_color` text,
	`series` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `tier_uuid` ON `tier` (`uuid`);
CREATE INDEX `tier_list` ON `tier` (`company_uuid`,`series`);
CREATE TABLE `category` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`company_uuid` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`background_color` text,
	`text_color` text,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `category_uuid` ON `category` (`uuid`);
CREATE INDEX `category_list` ON `category` (`company_uuid`);
CREATE TABLE `tag` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`company_uuid` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`background_color` text,
	`text_color` text,
	`type` text NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `tag_uuid` ON `tag` (`uuid`);
CREATE INDEX `tag_list` ON `tag` (`company_uuid`,`type`);
CREATE TABLE `currency` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`company_uuid` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`code` text NOT NULL,
	`is_default` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `currency_uuid` ON `currency` (`uuid`);
CREATE UNIQUE INDEX `currency_code` ON `currency` (`company_uuid`,`code`);
CREATE TABLE `partner` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`archived_at` integer,
	`name` text NOT NULL,
	`email` text,
	`phone_number` text,
	`website_url` text,
	`description` text,
	`partner_type` text NOT NULL,
	`stage_id` integer,
	`tier_id` integer,
	`category_id` integer,
	`accepted_at` integer,
	`invited_at` integer,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`stage_id`) REFERENCES `stage`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tier_id`) REFERENCES `tier`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`category_id`) REFERENCES `category`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `partner_list` ON `partner` (`company_uuid`,`created_at`);
CREATE TABLE `lead` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`archived_at` integer,
	`partnership_uuid` text NOT NULL,
	`distributor_uuid` text,
	`company_name` text,
	`email` text,
	`first_name` text,
	`last_name` text,
	`phone_number` text,
	`website` text,
	`status` text NOT NULL,
	`source` text,
	`direction` text,
	`stage_id` integer,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partnership_uuid`) REFERENCES `partner`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`distributor_uuid`) REFERENCES `partner`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`stage_id`) REFERENCES `stage`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `lead_list` ON `lead` (`company_uuid`,`created_at`);
CREATE INDEX `lead_partnership` ON `lead` (`partnership_uuid`,`created_at`);
CREATE TABLE `deal` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`archived_at` integer,
	`lead_uuid` text NOT NULL,
	`partnership_uuid` text NOT NULL,
	`label` text NOT NULL,
	`deal_value` real,
	`currency_id` integer,
	`stage_id` integer,
	`payment_stage_id` integer,
	`expiration_date` text,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lead_uuid`) REFERENCES `lead`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partnership_uuid`) REFERENCES `partner`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`currency_id`) REFERENCES `currency`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`stage_id`) REFERENCES `stage`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_stage_id`) REFERENCES `stage`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `deal_list` ON `deal` (`company_uuid`,`created_at`);
CREATE INDEX `deal_lead` ON `deal` (`lead_uuid`);
CREATE INDEX `deal_partnership` ON `deal` (`partnership_uuid`,`created_at`);
CREATE TABLE `note` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`lead_uuid` text,
	`deal_uuid` text,
	`author_uuid` text NOT NULL,
	`content` text NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lead_uuid`) REFERENCES `lead`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`deal_uuid`) REFERENCES `deal`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`author_uuid`) REFERENCES `user_account`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `note_lead` ON `note` (`lead_uuid`,`created_at`);
CREATE INDEX `note_deal` ON `note` (`deal_uuid`,`created_at`);
CREATE TABLE `integration` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`company_uuid` text NOT NULL,
	`label` text NOT NULL,
	`webhook_url` text NOT NULL,
	`status` text NOT NULL,
	`pause_reason` text,
	`paused_at` integer,
	`on_pause` text NOT NULL,
	`ordering` text NOT NULL,
	`event_ids` text NOT NULL,
	`configuration_id` integer,
	`retry_schedule` text,
	`secret` text NOT NULL,
	`next_secret` text,
	`cutover_at` integer,
	`api_key` text,
	`external_settings` text,
	`version` integer NOT NULL,
	`sequence` integer NOT NULL,
	`settled` integer NOT NULL,
	`release_until` integer,
	`release_rate` real,
	`bucket_tokens` real,
	`bucket_at` integer,
	`last_success_at` integer,
	`last_failure_at` integer,
	`last_error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `integration_uuid` ON `integration` (`uuid`);
CREATE INDEX `integration_list` ON `integration` (`company_uuid`,`created_at`);
CREATE TABLE `integration_configuration` (
	`id` integer PRIMARY KEY NOT NULL,
	`integration_id` integer NOT NULL,
	`json` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`integration_id`) REFERENCES `integration`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE TABLE `event` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`company_uuid` text NOT NULL,
	`event_id` text NOT NULL,
	`user_uuid` text NOT NULL,
	`record_uuid` text NOT NULL,
	`entity` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `event_record` ON `event` (`record_uuid`);
CREATE TABLE `delivery` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`integration_id` integer NOT NULL,
	`event_row_id` integer NOT NULL,
	`configuration_id` integer NOT NULL,
	`lane` text NOT NULL,
	`sequence` integer NOT NULL,
	`state` text NOT NULL,
	`ready` integer NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer NOT NULL,
	`lease` integer NOT NULL,
	`lease_until` integer,
	`last_error` text,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`integration_id`) REFERENCES `integration`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`event_row_id`) REFERENCES `event`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`configuration_id`) REFERENCES `integration_configuration`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `delivery_uuid` ON `delivery` (`uuid`);
CREATE UNIQUE INDEX `delivery_sequence` ON `delivery` (`integration_id`,`sequence`);
CREATE INDEX `delivery_due` ON `delivery` (`integration_id`,`due_at`) WHERE ready and state = 'pending';
CREATE INDEX `delivery_lane` ON `delivery` (`integration_id`,`lane`,`sequence`) WHERE state in ('pending', 'delivering');
CREATE INDEX `delivery_lease` ON `delivery` (`lease_until`) WHERE state = 'delivering';
CREATE TABLE `attempt` (
	`id` integer PRIMARY KEY NOT NULL,
	`delivery_id` integer NOT NULL,
	`number` integer NOT NULL,
	`started_at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`status` integer,
	`failure_class` text,
	`failure_stage` text,
	`failure_code` text,
	`message` text,
	`address` text,
	`retried_on_reset` integer NOT NULL,
	`response_headers` text,
	`response_body` text,
	FOREIGN KEY (`delivery_id`) REFERENCES `delivery`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `attempt_delivery` ON `attempt` (`delivery_id`,`number`);
CREATE TABLE `delivery_rollup` (
	`id` integer PRIMARY KEY NOT NULL,
	`integration_id` integer NOT NULL,
	`hour_at` integer NOT NULL,
	`delivered` integer NOT NULL,
	`failed` integer NOT NULL,
	FOREIGN KEY (`integration_id`) REFERENCES `integration`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `delivery_rollup_hour` ON `delivery_rollup` (`integration_id`,`hour_at`);
CREATE TABLE `audit` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`entity` text NOT NULL,
	`entity_uuid` text NOT NULL,
	`action` text NOT NULL,
	`actor_uuid` text NOT NULL,
	`actor` text NOT NULL,
	`changes` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `audit_list` ON `audit` (`company_uuid`,`created_at`);
CREATE INDEX `audit_entity` ON `audit` (`entity_uuid`);
CREATE TABLE `idempotency` (
	`scope` text PRIMARY KEY NOT NULL,
	`body_hash` text NOT NULL,
	`answer` text,
	`created_at` integer NOT NULL
);

CREATE INDEX `idempotency_age` ON `idempotency` (`created_at`);
CREATE TABLE `setting` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);

