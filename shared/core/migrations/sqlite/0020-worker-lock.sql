ALTER TABLE `delivery` ADD `worker_id` integer;
