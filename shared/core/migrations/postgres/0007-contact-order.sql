CREATE INDEX "contact_updated" ON "contact" USING btree ("company_uuid","updated_at");
