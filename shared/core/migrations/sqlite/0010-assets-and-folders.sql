CREATE TABLE `asset` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`url` text NOT NULL,
	`category` text NOT NULL,
	`file_name` text,
	`mime_type` text,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `asset_list` ON `asset` (`company_uuid`,`created_at`);
CREATE TABLE `folder` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`label` text NOT NULL,
	`type` text NOT NULL,
	`parent_uuid` text,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`parent_uuid`) REFERENCES `folder`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `folder_list` ON `folder` (`company_uuid`,`created_at`);
CREATE INDEX `folder_parent` ON `folder` (`parent_uuid`);
