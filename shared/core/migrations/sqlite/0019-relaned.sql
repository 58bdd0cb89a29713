ALTER TABLE `integration` ADD `relaned_to` integer;
