CREATE TABLE `partner_role` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`company_uuid` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`label_key` text,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `partner_role_uuid` ON `partner_role` (`uuid`);
CREATE UNIQUE INDEX `partner_role_label` ON `partner_role` (`company_uuid`,`label_key`);
CREATE INDEX `partner_role_list` ON `partner_role` (`company_uuid`,`created_at`);
CREATE TABLE `product` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`archived_at` integer,
	`name` text NOT NULL,
	`sku` text,
	`description` text,
	`price` real NOT NULL,
	`billing_type` text NOT NULL,
	`billing_period` text,
	`status` text NOT NULL,
	`currency_id` integer,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`currency_id`) REFERENCES `currency`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE TABLE `record_product` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`lead_uuid` text,
	`deal_uuid` text,
	`product_uuid` text NOT NULL,
	`quantity` real NOT NULL,
	`unit_price` real NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lead_uuid`) REFERENCES `lead`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`deal_uuid`) REFERENCES `deal`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_uuid`) REFERENCES `product`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `record_product_lead` ON `record_product` (`lead_uuid`,`created_at`);
CREATE INDEX `record_product_deal` ON `record_product` (`deal_uuid`,`created_at`);
CREATE TABLE `payment` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deal_uuid` text NOT NULL,
	`payment_value` real NOT NULL,
	`payment_date` text NOT NULL,
	`category` text,
	`approved` integer NOT NULL,
	`completed` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`deal_uuid`) REFERENCES `deal`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `payment_deal` ON `payment` (`deal_uuid`,`created_at`);
CREATE TABLE `deal_partner` (
	`id` integer PRIMARY KEY NOT NULL,
	`deal_uuid` text NOT NULL,
	`partnership_uuid` text NOT NULL,
	`role_id` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`deal_uuid`) REFERENCES `deal`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partnership_uuid`) REFERENCES `partner`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `partner_role`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `deal_partner_pair` ON `deal_partner` (`deal_uuid`,`partnership_uuid`);
CREATE INDEX `deal_partner_role` ON `deal_partner` (`role_id`);
CREATE TABLE `quote` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`lead_uuid` text NOT NULL,
	`quote_number` text,
	`valid_from` text,
	`valid_until` text,
	`subtotal` real NOT NULL,
	`discount_total` real NOT NULL,
	`tax_total` real NOT NULL,
	`total` real NOT NULL,
	`currency_id` integer,
	`notes` text,
	`terms` text,
	`pricing_calculator_uuid` text,
	`line_items` text NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lead_uuid`) REFERENCES `lead`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`currency_id`) REFERENCES `currency`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `quote_lead` ON `quote` (`lead_uuid`);
CREATE TABLE `lead_attribution` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`lead_uuid` text NOT NULL,
	`attribution_id` integer NOT NULL,
	`series` integer NOT NULL,
	`attributed_date` text,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lead_uuid`) REFERENCES `lead`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`attribution_id`) REFERENCES `attribution`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `lead_attribution_lead` ON `lead_attribution` (`lead_uuid`,`series`);
CREATE INDEX `lead_attribution_use` ON `lead_attribution` (`attribution_id`);
