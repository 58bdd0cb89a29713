CREATE TABLE `record_count` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`kind` text NOT NULL,
	`archived` integer NOT NULL,
	`total` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `record_count_of` ON `record_count` (`company_uuid`,`kind`,`archived`);
DROP INDEX `partner_list`;
DROP INDEX `lead_list`;
DROP INDEX `deal_list`;
