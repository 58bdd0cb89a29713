CREATE TABLE `attribution` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`company_uuid` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`label_key` text,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `attribution_uuid` ON `attribution` (`uuid`);
CREATE UNIQUE INDEX `attribution_label` ON `attribution` (`company_uuid`,`label_key`);
CREATE INDEX `attribution_list` ON `attribution` (`company_uuid`,`created_at`);
CREATE TABLE `contact` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`partnership_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`first_name` text,
	`last_name` text,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`phone_number` text,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partnership_uuid`) REFERENCES `partner`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `contact_email` ON `contact` (`partnership_uuid`,`email_key`);
CREATE INDEX `contact_list` ON `contact` (`company_uuid`,`created_at`);
CREATE INDEX `contact_partnership` ON `contact` (`partnership_uuid`,`created_at`);
CREATE TABLE `partner_domain` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`partnership_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`domain` text NOT NULL,
	`is_primary` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partnership_uuid`) REFERENCES `partner`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `partner_domain_name` ON `partner_domain` (`company_uuid`,`domain`);
CREATE INDEX `partner_domain_list` ON `partner_domain` (`partnership_uuid`,`created_at`);
CREATE TABLE `record_link` (
	`id` integer PRIMARY KEY NOT NULL,
	`record_uuid` text NOT NULL,
	`tag_id` integer,
	`user_uuid` text,
	`contact_uuid` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`tag_id`) REFERENCES `tag`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_uuid`) REFERENCES `user_account`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_uuid`) REFERENCES `contact`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `record_link_tag` ON `record_link` (`record_uuid`,`tag_id`);
CREATE UNIQUE INDEX `record_link_user` ON `record_link` (`record_uuid`,`user_uuid`);
CREATE UNIQUE INDEX `record_link_contact` ON `record_link` (`record_uuid`,`contact_uuid`);
CREATE INDEX `record_link_by_tag` ON `record_link` (`tag_id`,`record_uuid`);
CREATE INDEX `record_link_by_user` ON `record_link` (`user_uuid`,`record_uuid`);
CREATE INDEX `record_link_by_contact` ON `record_link` (`contact_uuid`,`record_uuid`);
ALTER TABLE `tier` ADD `label_key` text;
CREATE UNIQUE INDEX `tier_label` ON `tier` (`company_uuid`,`label_key`);
ALTER TABLE `category` ADD `label_key` text;
CREATE UNIQUE INDEX `category_label` ON `category` (`company_uuid`,`label_key`);
ALTER TABLE `tag` ADD `label_key` text;
CREATE UNIQUE INDEX `tag_label` ON `tag` (`company_uuid`,`type`,`label_key`);
ALTER TABLE `partner` ADD `distributor_uuid` text REFERENCES partner(uuid);
CREATE INDEX `partner_distributor` ON `partner` (`distributor_uuid`,`created_at`);
CREATE INDEX `partner_stage` ON `partner` (`stage_id`);
CREATE INDEX `partner_tier` ON `partner` (`tier_id`);
CREATE INDEX `partner_category` ON `partner` (`category_id`);
ALTER TABLE `note` ADD `partner_uuid` text REFERENCES partner(uuid);
CREATE INDEX `note_partner` ON `note` (`partner_uuid`,`created_at`);
