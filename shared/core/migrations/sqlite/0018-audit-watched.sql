CREATE INDEX `audit_watched` ON `audit` (`created_at`) WHERE entity in ('integration', 'webhook_event');
