ALTER TABLE `integration` ADD `max_per_second` real;
