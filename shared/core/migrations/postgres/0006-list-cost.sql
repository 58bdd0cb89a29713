-- Written by hand: what drizzle cannot say.

-- Page 1 of each list is read in its order from an index: what is archived and what is not lie apart.
CREATE INDEX partner_live ON partner (company_uuid, created_at DESC, uuid) WHERE archived_at IS NULL;
CREATE INDEX partner_archived ON partner (company_uuid, created_at DESC, uuid) WHERE archived_at IS NOT NULL;
CREATE INDEX partner_updated ON partner (company_uuid, updated_at DESC, uuid);
CREATE INDEX partner_name ON partner (company_uuid, name, uuid);
CREATE INDEX partner_type ON partner (company_uuid, partner_type, created_at DESC, uuid);
CREATE INDEX lead_live ON lead (company_uuid, created_at DESC, uuid) WHERE archived_at IS NULL;
CREATE INDEX lead_archived ON lead (company_uuid, created_at DESC, uuid) WHERE archived_at IS NOT NULL;
CREATE INDEX lead_updated ON lead (company_uuid, updated_at DESC, uuid);
CREATE INDEX lead_stage ON lead (stage_id, created_at DESC, uuid);
CREATE INDEX lead_status ON lead (company_uuid, status, created_at DESC, uuid);
CREATE INDEX lead_direction ON lead (company_uuid, direction, created_at DESC, uuid);
CREATE INDEX deal_live ON deal (company_uuid, created_at DESC, uuid) WHERE archived_at IS NULL;
CREATE INDEX deal_archived ON deal (company_uuid, created_at DESC, uuid) WHERE archived_at IS NOT NULL;
CREATE INDEX deal_updated ON deal (company_uuid, updated_at DESC, uuid);
CREATE INDEX deal_stage ON deal (stage_id, created_at DESC, uuid);
CREATE INDEX deal_payment_stage ON deal (payment_stage_id) WHERE payment_stage_id IS NOT NULL;
CREATE INDEX deal_label ON deal (company_uuid, label, uuid);
CREATE INDEX product_live ON product (company_uuid, created_at DESC, uuid) WHERE archived_at IS NULL;
CREATE INDEX product_archived ON product (company_uuid, created_at DESC, uuid) WHERE archived_at IS NOT NULL;
CREATE INDEX product_updated ON product (company_uuid, updated_at DESC, uuid);
CREATE INDEX product_name ON product (company_uuid, name, uuid);

-- Totals of unfiltered lists.
INSERT INTO record_count (company_uuid, kind, archived, total) SELECT company_uuid, 'partner', archived_at IS NOT NULL, count(*) FROM partner GROUP BY company_uuid, archived_at IS NOT NULL;
INSERT INTO record_count (company_uuid, kind, archived, total) SELECT company_uuid, 'lead', archived_at IS NOT NULL, count(*) FROM lead GROUP BY company_uuid, archived_at IS NOT NULL;
INSERT INTO record_count (company_uuid, kind, archived, total) SELECT company_uuid, 'deal', archived_at IS NOT NULL, count(*) FROM deal GROUP BY company_uuid, archived_at IS NOT NULL;
INSERT INTO record_count (company_uuid, kind, archived, total) SELECT company_uuid, 'product', archived_at IS NOT NULL, count(*) FROM product GROUP BY company_uuid, archived_at IS NOT NULL;
INSERT INTO record_count (company_uuid, kind, archived, total) SELECT company_uuid, 'contact', false, count(*) FROM contact GROUP BY company_uuid;
INSERT INTO record_count (company_uuid, kind, archived, total) SELECT company_uuid, 'audit', false, count(*) FROM audit GROUP BY company_uuid;
CREATE FUNCTION add_to_record_count(of_company uuid, of_kind text, is_archived boolean, added bigint) RETURNS void LANGUAGE sql AS $$
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (of_company, of_kind, is_archived, added)
	ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = record_count.total + excluded.total
$$;
CREATE FUNCTION count_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN PERFORM add_to_record_count(NEW.company_uuid, TG_TABLE_NAME, false, 1);
	ELSE PERFORM add_to_record_count(OLD.company_uuid, TG_TABLE_NAME, false, -1);
	END IF;
	RETURN NULL;
END $$;
CREATE FUNCTION count_archivable_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN PERFORM add_to_record_count(OLD.company_uuid, TG_TABLE_NAME, OLD.archived_at IS NOT NULL, -1); END IF;
	IF TG_OP <> 'DELETE' THEN PERFORM add_to_record_count(NEW.company_uuid, TG_TABLE_NAME, NEW.archived_at IS NOT NULL, 1); END IF;
	RETURN NULL;
END $$;
CREATE TRIGGER partner_count AFTER INSERT OR DELETE ON partner FOR EACH ROW EXECUTE FUNCTION count_archivable_record();
CREATE TRIGGER partner_count_archive AFTER UPDATE OF archived_at ON partner FOR EACH ROW WHEN ((OLD.archived_at IS NULL) <> (NEW.archived_at IS NULL)) EXECUTE FUNCTION count_archivable_record();
CREATE TRIGGER lead_count AFTER INSERT OR DELETE ON lead FOR EACH ROW EXECUTE FUNCTION count_archivable_record();
CREATE TRIGGER lead_count_archive AFTER UPDATE OF archived_at ON lead FOR EACH ROW WHEN ((OLD.archived_at IS NULL) <> (NEW.archived_at IS NULL)) EXECUTE FUNCTION count_archivable_record();
CREATE TRIGGER deal_count AFTER INSERT OR DELETE ON deal FOR EACH ROW EXECUTE FUNCTION count_archivable_record();
CREATE TRIGGER deal_count_archive AFTER UPDATE OF archived_at ON deal FOR EACH ROW WHEN ((OLD.archived_at IS NULL) <> (NEW.archived_at IS NULL)) EXECUTE FUNCTION count_archivable_record();
CREATE TRIGGER product_count AFTER INSERT OR DELETE ON product FOR EACH ROW EXECUTE FUNCTION count_archivable_record();
CREATE TRIGGER product_count_archive AFTER UPDATE OF archived_at ON product FOR EACH ROW WHEN ((OLD.archived_at IS NULL) <> (NEW.archived_at IS NULL)) EXECUTE FUNCTION count_archivable_record();
CREATE TRIGGER contact_count AFTER INSERT OR DELETE ON contact FOR EACH ROW EXECUTE FUNCTION count_record();
CREATE TRIGGER audit_count AFTER INSERT OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION count_record();

-- Text search by trigrams; a term of one or two characters finds what begins with it.
CREATE INDEX partner_search_name ON partner USING gin (lower(normalize(name, NFC)) gin_trgm_ops);
CREATE INDEX partner_search_email ON partner USING gin (lower(normalize(email, NFC)) gin_trgm_ops);
CREATE INDEX lead_search_company_name ON lead USING gin (lower(normalize(company_name, NFC)) gin_trgm_ops);
CREATE INDEX lead_search_first_name ON lead USING gin (lower(normalize(first_name, NFC)) gin_trgm_ops);
CREATE INDEX lead_search_last_name ON lead USING gin (lower(normalize(last_name, NFC)) gin_trgm_ops);
CREATE INDEX lead_search_email ON lead USING gin (lower(normalize(email, NFC)) gin_trgm_ops);
CREATE INDEX deal_search_label ON deal USING gin (lower(normalize(label, NFC)) gin_trgm_ops);
CREATE INDEX product_search_name ON product USING gin (lower(normalize(name, NFC)) gin_trgm_ops);
CREATE INDEX product_search_sku ON product USING gin (lower(normalize(sku, NFC)) gin_trgm_ops);
CREATE INDEX contact_search_email ON contact USING gin (lower(normalize(email, NFC)) gin_trgm_ops);
CREATE INDEX contact_search_first_name ON contact USING gin (lower(normalize(first_name, NFC)) gin_trgm_ops);
CREATE INDEX contact_search_last_name ON contact USING gin (lower(normalize(last_name, NFC)) gin_trgm_ops);
