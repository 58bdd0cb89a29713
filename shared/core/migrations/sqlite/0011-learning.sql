CREATE TABLE `resource` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`archived_at` integer,
	`label` text NOT NULL,
	`live` integer NOT NULL,
	`type` text NOT NULL,
	`summary` text,
	`asset_uuid` text,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`asset_uuid`) REFERENCES `asset`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `resource_list` ON `resource` (`company_uuid`,`created_at`);
CREATE INDEX `resource_asset` ON `resource` (`asset_uuid`);
CREATE TABLE `certification` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`archived_at` integer,
	`label` text NOT NULL,
	`live` integer NOT NULL,
	`summary` text,
	`assessment_pass_score` real,
	`asset_uuid` text,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`asset_uuid`) REFERENCES `asset`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `certification_list` ON `certification` (`company_uuid`,`created_at`);
CREATE INDEX `certification_asset` ON `certification` (`asset_uuid`);
CREATE TABLE `enrollment` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`certification_uuid` text NOT NULL,
	`user_uuid` text NOT NULL,
	`partnership_uuid` text,
	`status` text NOT NULL,
	`status_at` integer NOT NULL,
	`progress_percentage` real NOT NULL,
	`assessment_score` real,
	`assessment_best_score` real,
	`assessment_passed` integer,
	`started_at` integer,
	`completed_at` integer,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`certification_uuid`) REFERENCES `certification`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_uuid`) REFERENCES `user_account`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partnership_uuid`) REFERENCES `partner`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `enrollment_learner` ON `enrollment` (`certification_uuid`,`user_uuid`);
CREATE INDEX `enrollment_user` ON `enrollment` (`user_uuid`);
CREATE INDEX `enrollment_status` ON `enrollment` (`company_uuid`,`status`,`status_at`,`uuid`);
CREATE INDEX `enrollment_partnership` ON `enrollment` (`partnership_uuid`,`status`,`status_at`);
CREATE TABLE `room` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`archived_at` integer,
	`label` text NOT NULL,
	`live` integer NOT NULL,
	`room_type` text,
	`partner_type` text,
	`visibility` text NOT NULL,
	`series` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `room_list` ON `room` (`company_uuid`,`created_at`);
CREATE INDEX `room_series` ON `room` (`company_uuid`,`series`);
CREATE TABLE `block` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`resource_uuid` text,
	`room_uuid` text,
	`type` text NOT NULL,
	`series` integer NOT NULL,
	`title` text,
	`content` text,
	`asset_uuid` text,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`resource_uuid`) REFERENCES `resource`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`room_uuid`) REFERENCES `room`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`asset_uuid`) REFERENCES `asset`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `block_resource` ON `block` (`resource_uuid`,`series`);
CREATE INDEX `block_room` ON `block` (`room_uuid`,`series`);
CREATE INDEX `block_asset` ON `block` (`asset_uuid`);
CREATE TABLE `secure_file` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`room_uuid` text NOT NULL,
	`asset_uuid` text NOT NULL,
	`label` text,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`room_uuid`) REFERENCES `room`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`asset_uuid`) REFERENCES `asset`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `secure_file_room` ON `secure_file` (`room_uuid`,`created_at`);
CREATE INDEX `secure_file_asset` ON `secure_file` (`asset_uuid`);
CREATE TABLE `content_link` (
	`id` integer PRIMARY KEY NOT NULL,
	`record_uuid` text NOT NULL,
	`tag_id` integer,
	`category_id` integer,
	`stage_id` integer,
	`tier_id` integer,
	`folder_uuid` text,
	`resource_uuid` text,
	`partnership_uuid` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`tag_id`) REFERENCES `tag`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`category_id`) REFERENCES `category`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`stage_id`) REFERENCES `stage`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tier_id`) REFERENCES `tier`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`folder_uuid`) REFERENCES `folder`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`resource_uuid`) REFERENCES `resource`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partnership_uuid`) REFERENCES `partner`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `content_link_record` ON `content_link` (`record_uuid`) WHERE partnership_uuid is null;
CREATE UNIQUE INDEX `content_link_tag_id` ON `content_link` (`record_uuid`,`tag_id`) WHERE tag_id is not null;
CREATE INDEX `content_link_tag_id_by` ON `content_link` (`tag_id`,`record_uuid`) WHERE tag_id is not null;
CREATE UNIQUE INDEX `content_link_category_id` ON `content_link` (`record_uuid`,`category_id`) WHERE category_id is not null;
CREATE INDEX `content_link_category_id_by` ON `content_link` (`category_id`,`record_uuid`) WHERE category_id is not null;
CREATE UNIQUE INDEX `content_link_stage_id` ON `content_link` (`record_uuid`,`stage_id`) WHERE stage_id is not null;
CREATE INDEX `content_link_stage_id_by` ON `content_link` (`stage_id`,`record_uuid`) WHERE stage_id is not null;
CREATE UNIQUE INDEX `content_link_tier_id` ON `content_link` (`record_uuid`,`tier_id`) WHERE tier_id is not null;
CREATE INDEX `content_link_tier_id_by` ON `content_link` (`tier_id`,`record_uuid`) WHERE tier_id is not null;
CREATE UNIQUE INDEX `content_link_folder_uuid` ON `content_link` (`record_uuid`,`folder_uuid`) WHERE folder_uuid is not null;
CREATE INDEX `content_link_folder_uuid_by` ON `content_link` (`folder_uuid`,`record_uuid`) WHERE folder_uuid is not null;
CREATE UNIQUE INDEX `content_link_resource_uuid` ON `content_link` (`record_uuid`,`resource_uuid`) WHERE resource_uuid is not null;
CREATE INDEX `content_link_resource_uuid_by` ON `content_link` (`resource_uuid`,`record_uuid`) WHERE resource_uuid is not null;
CREATE UNIQUE INDEX `content_link_partnership_uuid` ON `content_link` (`record_uuid`,`partnership_uuid`) WHERE partnership_uuid is not null;
CREATE INDEX `content_link_partnership_uuid_by` ON `content_link` (`partnership_uuid`,`record_uuid`) WHERE partnership_uuid is not null;
