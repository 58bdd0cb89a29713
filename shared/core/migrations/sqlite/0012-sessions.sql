CREATE TABLE `session` (
	`uuid` text PRIMARY KEY NOT NULL,
	`api_key_uuid` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`api_key_uuid`) REFERENCES `api_key`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `session_hash` ON `session` (`hash`);
CREATE INDEX `session_expiry` ON `session` (`expires_at`);
