CREATE INDEX "audit_watched" ON "audit" USING btree ("created_at") WHERE entity in ('integration', 'webhook_event');
