CREATE TABLE `pricing_calculator` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`archived_at` integer,
	`name` text NOT NULL,
	`description` text,
	`status` text NOT NULL,
	`submission_mode` text NOT NULL,
	`display_settings` text NOT NULL,
	`partner_type_referral` integer NOT NULL,
	`partner_type_reseller` integer NOT NULL,
	`partner_type_distributor` integer NOT NULL,
	`available_on_leads` integer NOT NULL,
	`required_on_leads` integer NOT NULL,
	`available_on_deals` integer NOT NULL,
	`required_on_deals` integer NOT NULL,
	`currency_id` integer,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`currency_id`) REFERENCES `currency`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `pricing_calculator_list` ON `pricing_calculator` (`company_uuid`,`created_at`);
CREATE TABLE `pricing_calculator_field` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`calculator_uuid` text NOT NULL,
	`label` text NOT NULL,
	`field_type` text NOT NULL,
	`variable_name` text NOT NULL,
	`variable_key` text NOT NULL,
	`required` integer NOT NULL,
	`sort_order` integer NOT NULL,
	`field_config` text NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`calculator_uuid`) REFERENCES `pricing_calculator`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `pricing_calculator_field_uuid` ON `pricing_calculator_field` (`uuid`);
CREATE UNIQUE INDEX `pricing_calculator_field_variable` ON `pricing_calculator_field` (`calculator_uuid`,`variable_key`);
CREATE TABLE `pricing_calculator_product` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`calculator_uuid` text NOT NULL,
	`product_uuid` text NOT NULL,
	`sort_order` integer NOT NULL,
	`quantity_type` text NOT NULL,
	`quantity_fixed` real,
	`quantity_variable_name` text,
	`quantity_condition` text,
	`quantity_if_true` real,
	`quantity_if_false` real,
	`price_override` real,
	`is_optional` integer NOT NULL,
	`is_included_by_default` integer NOT NULL,
	`quantity_editable` integer NOT NULL,
	`anchor_field_id` integer,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`calculator_uuid`) REFERENCES `pricing_calculator`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_uuid`) REFERENCES `product`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`anchor_field_id`) REFERENCES `pricing_calculator_field`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `pricing_calculator_product_list` ON `pricing_calculator_product` (`calculator_uuid`,`sort_order`);
CREATE TABLE `pricing_calculator_formula` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`calculator_uuid` text NOT NULL,
	`name` text NOT NULL,
	`condition` text,
	`formula_type` text NOT NULL,
	`calculation_type` text NOT NULL,
	`value` real NOT NULL,
	`billing_type` text,
	`percentage_base` text NOT NULL,
	`selected_product_uuid` text,
	`selected_sources` text NOT NULL,
	`sort_order` integer NOT NULL,
	`formula_config` text,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`calculator_uuid`) REFERENCES `pricing_calculator`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `pricing_calculator_formula_list` ON `pricing_calculator_formula` (`calculator_uuid`,`sort_order`);
CREATE TABLE `deal_commission` (
	`deal_uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`calculation` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`deal_uuid`) REFERENCES `deal`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `deal_commission_company` ON `deal_commission` (`company_uuid`);
CREATE TABLE `commission_rule` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`label` text NOT NULL,
	`active` integer NOT NULL,
	`partner_type` text,
	`partnership_uuid` text,
	`calculation` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partnership_uuid`) REFERENCES `partner`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `commission_rule_list` ON `commission_rule` (`company_uuid`,`created_at`);
CREATE TABLE `commission_payout` (
	`id` integer PRIMARY KEY NOT NULL,
	`deal_uuid` text NOT NULL,
	`stage_id` integer NOT NULL,
	`place` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`deal_uuid`) REFERENCES `deal`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `commission_payout_entry` ON `commission_payout` (`deal_uuid`,`stage_id`,`place`);
CREATE TABLE `task` (
	`uuid` text PRIMARY KEY NOT NULL,
	`company_uuid` text NOT NULL,
	`title` text NOT NULL,
	`content` text,
	`status` text NOT NULL,
	`priority` text,
	`due_date` text,
	`shared` integer NOT NULL,
	`lead_uuid` text,
	`deal_uuid` text,
	`partnership_uuid` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_uuid`) REFERENCES `company`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lead_uuid`) REFERENCES `lead`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`deal_uuid`) REFERENCES `deal`(`uuid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partnership_uuid`) REFERENCES `partner`(`uuid`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `task_lead` ON `task` (`lead_uuid`,`created_at`);
CREATE INDEX `task_deal` ON `task` (`deal_uuid`,`created_at`);
CREATE INDEX `task_partnership` ON `task` (`partnership_uuid`,`created_at`);
ALTER TABLE `deal` ADD `total_commission_value` real;

-- Written by hand: what drizzle cannot say. A rebuilt table loses its triggers and the indexes below; create them again there.
CREATE INDEX task_list ON task (company_uuid, created_at DESC, uuid);
CREATE INDEX task_updated ON task (company_uuid, updated_at DESC, uuid);
CREATE INDEX task_title ON task (company_uuid, title, uuid);
CREATE TRIGGER task_count_insert AFTER INSERT ON task BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (new.company_uuid, 'task', false, 1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER task_count_delete AFTER DELETE ON task BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (old.company_uuid, 'task', false, -1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
