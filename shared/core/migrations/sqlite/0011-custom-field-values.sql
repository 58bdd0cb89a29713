DROP TABLE `custom_field_value`;
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
