CREATE TABLE `webhook_replay` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`company_uuid` text NOT NULL,
	`integration_id` integer NOT NULL,
	`status` text NOT NULL,
	`since_at` integer,
	`until_at` integer,
	`states` text NOT NULL,
	`event_ids` text NOT NULL,
	`fresh` integer NOT NULL,
	`rate_per_second` integer NOT NULL,
	`matched` integer NOT NULL,
	`replayed` integer NOT NULL,
	`skipped` integer NOT NULL,
	`cursor` integer NOT NULL,
	`end_sequence` integer NOT NULL,
	`tokens` integer NOT NULL,
	`tokens_at` integer NOT NULL,
	`reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`integration_id`) REFERENCES `integration`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `webhook_replay_uuid` ON `webhook_replay` (`uuid`);
CREATE INDEX `webhook_replay_list` ON `webhook_replay` (`company_uuid`,`created_at`);
CREATE INDEX `webhook_replay_running` ON `webhook_replay` (`status`) WHERE status = 'running';
CREATE TABLE `alert` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`integration_id` integer NOT NULL,
	`kind` text NOT NULL,
	`since_at` integer NOT NULL,
	`body` text NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`integration_id`) REFERENCES `integration`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `alert_of_integration` ON `alert` (`integration_id`,`kind`,`created_at`);
CREATE INDEX `alert_due` ON `alert` (`due_at`) WHERE due_at is not null;
CREATE INDEX `delivery_event` ON `delivery` (`event_row_id`);
