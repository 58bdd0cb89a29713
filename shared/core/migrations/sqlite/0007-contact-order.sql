CREATE INDEX `contact_updated` ON `contact` (`company_uuid`,`updated_at`);
