CREATE TABLE `custom_field` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`company_uuid` text NOT NULL,
	`label` text NOT NULL,
	`type` text NOT NULL,
	`category` text NOT NULL,
	`partner_type` text,
	`required` integer NOT NULL,
	`shared` integer NOT NULL,
	`help_text` text,
	`link` text,
	`placeholder` text,
	`series` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `custom_field_uuid_unique` ON `custom_field` (`uuid`);
CREATE INDEX `custom_field_list` ON `custom_field` (`company_uuid`,`category`,`series`);
CREATE TABLE `custom_field_option` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`company_uuid` text NOT NULL,
	`custom_field_uuid` text NOT NULL,
	`label` text NOT NULL,
	`series` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`custom_field_uuid`) REFERENCES `custom_field`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `custom_field_option_uuid` ON `custom_field_option` (`uuid`);
CREATE INDEX `custom_field_option_field` ON `custom_field_option` (`custom_field_uuid`);
CREATE INDEX `custom_field_option_list` ON `custom_field_option` (`company_uuid`);
CREATE TABLE `custom_field_rule` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`company_uuid` text NOT NULL,
	`category` text NOT NULL,
	`partner_type` text,
	`active` integer NOT NULL,
	`kind` text NOT NULL,
	`trigger_id` integer NOT NULL,
	`operator` text NOT NULL,
	`trigger_value` text,
	`target_id` integer NOT NULL,
	`value` text,
	`map` text,
	`lock` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`trigger_id`) REFERENCES `custom_field`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `custom_field`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `custom_field_rule_uuid` ON `custom_field_rule` (`uuid`);
CREATE INDEX `custom_field_rule_list` ON `custom_field_rule` (`company_uuid`,`created_at`);
CREATE INDEX `custom_field_rule_trigger` ON `custom_field_rule` (`trigger_id`);
CREATE INDEX `custom_field_rule_target` ON `custom_field_rule` (`target_id`);
CREATE TABLE `custom_field_values` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`category` text NOT NULL,
	`record_uuid` text NOT NULL,
	`json` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `custom_field_values_record` ON `custom_field_values` (`record_uuid`);
CREATE INDEX `custom_field_values_list` ON `custom_field_values` (`company_uuid`,`category`);
ALTER TABLE `company` ADD `fields_version` text;
ALTER TABLE `integration` ADD `purged_to` integer DEFAULT 0 NOT NULL;
ALTER TABLE `integration` ADD `max_per_second` real;
