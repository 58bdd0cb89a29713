CREATE TABLE `agreement_template` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`label` text NOT NULL,
	`content` text,
	`asset_uuid` text,
	`status` text NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`asset_uuid`) REFERENCES `asset`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `agreement_template_list` ON `agreement_template` (`company_uuid`,`created_at`);
CREATE INDEX `agreement_template_asset` ON `agreement_template` (`asset_uuid`);
CREATE TABLE `agreement` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`label` text NOT NULL,
	`partnership_uuid` text NOT NULL,
	`template_uuid` text,
	`asset_uuid` text,
	`status` text NOT NULL,
	`signed_at` integer,
	`expiration_date` text,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partnership_uuid`) REFERENCES `partner`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`template_uuid`) REFERENCES `agreement_template`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`asset_uuid`) REFERENCES `asset`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `agreement_list` ON `agreement` (`company_uuid`,`created_at`);
CREATE INDEX `agreement_partnership` ON `agreement` (`partnership_uuid`,`created_at`);
CREATE INDEX `agreement_of_template` ON `agreement` (`template_uuid`);
CREATE INDEX `agreement_asset` ON `agreement` (`asset_uuid`);
CREATE TABLE `marketing_template` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`subject` text,
	`content` text,
	`asset_uuid` text,
	`status` text NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`asset_uuid`) REFERENCES `asset`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `marketing_template_list` ON `marketing_template` (`company_uuid`,`created_at`);
CREATE INDEX `marketing_template_asset` ON `marketing_template` (`asset_uuid`);
CREATE TABLE `campaign` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`archived_at` integer,
	`label` text NOT NULL,
	`description` text,
	`template_uuid` text,
	`asset_uuid` text,
	`status` text NOT NULL,
	`starts_at` integer,
	`ends_at` integer,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`template_uuid`) REFERENCES `marketing_template`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`asset_uuid`) REFERENCES `asset`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `campaign_list` ON `campaign` (`company_uuid`,`created_at`);
CREATE INDEX `campaign_of_template` ON `campaign` (`template_uuid`);
CREATE INDEX `campaign_asset` ON `campaign` (`asset_uuid`);
CREATE TABLE `card` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`status` text NOT NULL,
	`due_date` text,
	`asset_uuid` text,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`asset_uuid`) REFERENCES `asset`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `card_list` ON `card` (`company_uuid`,`created_at`);
CREATE INDEX `card_asset` ON `card` (`asset_uuid`);
CREATE TABLE `automation` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`name` text NOT NULL,
	`trigger_event_id` text NOT NULL,
	`conditions` text NOT NULL,
	`actions` text NOT NULL,
	`status` text NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `automation_list` ON `automation` (`company_uuid`,`created_at`);
ALTER TABLE `integration` ADD `inactive_event_ids` text;
