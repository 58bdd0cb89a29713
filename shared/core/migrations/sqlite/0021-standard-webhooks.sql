ALTER TABLE `integration` ADD `standard_webhooks` integer DEFAULT false NOT NULL;
