ALTER TABLE `alert` ADD `lease` integer DEFAULT 0 NOT NULL;
ALTER TABLE `alert` ADD `lease_until` integer;
