-- Written by hand: what drizzle cannot say. A rebuilt table loses its triggers and the indexes below; create them again there.

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
CREATE TRIGGER partner_count_insert AFTER INSERT ON partner BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (new.company_uuid, 'partner', new.archived_at IS NOT NULL, 1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER partner_count_delete AFTER DELETE ON partner BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (old.company_uuid, 'partner', old.archived_at IS NOT NULL, -1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER partner_count_archive AFTER UPDATE OF archived_at ON partner WHEN (old.archived_at IS NULL) <> (new.archived_at IS NULL) BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (old.company_uuid, 'partner', old.archived_at IS NOT NULL, -1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (new.company_uuid, 'partner', new.archived_at IS NOT NULL, 1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER lead_count_insert AFTER INSERT ON lead BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (new.company_uuid, 'lead', new.archived_at IS NOT NULL, 1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER lead_count_delete AFTER DELETE ON lead BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (old.company_uuid, 'lead', old.archived_at IS NOT NULL, -1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER lead_count_archive AFTER UPDATE OF archived_at ON lead WHEN (old.archived_at IS NULL) <> (new.archived_at IS NULL) BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (old.company_uuid, 'lead', old.archived_at IS NOT NULL, -1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (new.company_uuid, 'lead', new.archived_at IS NOT NULL, 1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER deal_count_insert AFTER INSERT ON deal BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (new.company_uuid, 'deal', new.archived_at IS NOT NULL, 1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER deal_count_delete AFTER DELETE ON deal BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (old.company_uuid, 'deal', old.archived_at IS NOT NULL, -1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER deal_count_archive AFTER UPDATE OF archived_at ON deal WHEN (old.archived_at IS NULL) <> (new.archived_at IS NULL) BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (old.company_uuid, 'deal', old.archived_at IS NOT NULL, -1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (new.company_uuid, 'deal', new.archived_at IS NOT NULL, 1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER product_count_insert AFTER INSERT ON product BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (new.company_uuid, 'product', new.archived_at IS NOT NULL, 1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER product_count_delete AFTER DELETE ON product BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (old.company_uuid, 'product', old.archived_at IS NOT NULL, -1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER product_count_archive AFTER UPDATE OF archived_at ON product WHEN (old.archived_at IS NULL) <> (new.archived_at IS NULL) BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (old.company_uuid, 'product', old.archived_at IS NOT NULL, -1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (new.company_uuid, 'product', new.archived_at IS NOT NULL, 1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER contact_count_insert AFTER INSERT ON contact BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (new.company_uuid, 'contact', false, 1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER contact_count_delete AFTER DELETE ON contact BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (old.company_uuid, 'contact', false, -1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER audit_count_insert AFTER INSERT ON audit BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (new.company_uuid, 'audit', false, 1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER audit_count_delete AFTER DELETE ON audit BEGIN
	INSERT INTO record_count (company_uuid, kind, archived, total) VALUES (old.company_uuid, 'audit', false, -1) ON CONFLICT (company_uuid, kind, archived) DO UPDATE SET total = total + excluded.total;
END;

-- Text search by trigrams. A row of *_search_row gives a record its number in the index. Records are indexed 128 at a time,
-- because FTS5 writes a segment for each savepoint (60 µs a record against 140 µs); the few behind indexed_to are read one by one.
-- \1\1 stands before each member, so that a term of one or two characters finds what begins with it.
CREATE TABLE search_state (kind text PRIMARY KEY NOT NULL, indexed_to integer NOT NULL);
CREATE TABLE partner_search_row (id integer PRIMARY KEY NOT NULL, record_uuid text NOT NULL);
CREATE UNIQUE INDEX partner_search_row_record ON partner_search_row (record_uuid);
CREATE VIRTUAL TABLE partner_search USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram');
INSERT INTO partner_search_row (record_uuid) SELECT uuid FROM partner ORDER BY created_at;
INSERT INTO partner_search (rowid, text) SELECT id, fold(char(1, 1) || coalesce(r.name, '') || char(1, 1) || coalesce(r.email, '')) FROM partner_search_row JOIN partner r ON r.uuid = record_uuid;
INSERT INTO search_state (kind, indexed_to) SELECT 'partner', coalesce(max(id), 0) FROM partner_search_row;
CREATE TRIGGER partner_search_insert AFTER INSERT ON partner BEGIN
	INSERT INTO partner_search_row (record_uuid) VALUES (new.uuid);
END;
CREATE TRIGGER partner_search_batch AFTER INSERT ON partner_search_row WHEN new.id % 128 = 0 BEGIN
	INSERT INTO partner_search (rowid, text) SELECT s.id, fold(char(1, 1) || coalesce(r.name, '') || char(1, 1) || coalesce(r.email, '')) FROM partner_search_row s JOIN partner r ON r.uuid = s.record_uuid WHERE s.id > (SELECT indexed_to FROM search_state WHERE kind = 'partner');
	UPDATE search_state SET indexed_to = new.id WHERE kind = 'partner';
END;
CREATE TRIGGER partner_search_update AFTER UPDATE OF name, email ON partner WHEN (SELECT id FROM partner_search_row WHERE record_uuid = new.uuid) <= (SELECT indexed_to FROM search_state WHERE kind = 'partner') BEGIN
	INSERT OR REPLACE INTO partner_search (rowid, text) SELECT id, fold(char(1, 1) || coalesce(new.name, '') || char(1, 1) || coalesce(new.email, '')) FROM partner_search_row WHERE record_uuid = new.uuid;
END;
CREATE TABLE lead_search_row (id integer PRIMARY KEY NOT NULL, record_uuid text NOT NULL);
CREATE UNIQUE INDEX lead_search_row_record ON lead_search_row (record_uuid);
CREATE VIRTUAL TABLE lead_search USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram');
INSERT INTO lead_search_row (record_uuid) SELECT uuid FROM lead ORDER BY created_at;
INSERT INTO lead_search (rowid, text) SELECT id, fold(char(1, 1) || coalesce(r.company_name, '') || char(1, 1) || coalesce(r.first_name, '') || char(1, 1) || coalesce(r.last_name, '') || char(1, 1) || coalesce(r.email, '')) FROM lead_search_row JOIN lead r ON r.uuid = record_uuid;
INSERT INTO search_state (kind, indexed_to) SELECT 'lead', coalesce(max(id), 0) FROM lead_search_row;
CREATE TRIGGER lead_search_insert AFTER INSERT ON lead BEGIN
	INSERT INTO lead_search_row (record_uuid) VALUES (new.uuid);
END;
CREATE TRIGGER lead_search_batch AFTER INSERT ON lead_search_row WHEN new.id % 128 = 0 BEGIN
	INSERT INTO lead_search (rowid, text) SELECT s.id, fold(char(1, 1) || coalesce(r.company_name, '') || char(1, 1) || coalesce(r.first_name, '') || char(1, 1) || coalesce(r.last_name, '') || char(1, 1) || coalesce(r.email, '')) FROM lead_search_row s JOIN lead r ON r.uuid = s.record_uuid WHERE s.id > (SELECT indexed_to FROM search_state WHERE kind = 'lead');
	UPDATE search_state SET indexed_to = new.id WHERE kind = 'lead';
END;
CREATE TRIGGER lead_search_update AFTER UPDATE OF company_name, first_name, last_name, email ON lead WHEN (SELECT id FROM lead_search_row WHERE record_uuid = new.uuid) <= (SELECT indexed_to FROM search_state WHERE kind = 'lead') BEGIN
	INSERT OR REPLACE INTO lead_search (rowid, text) SELECT id, fold(char(1, 1) || coalesce(new.company_name, '') || char(1, 1) || coalesce(new.first_name, '') || char(1, 1) || coalesce(new.last_name, '') || char(1, 1) || coalesce(new.email, '')) FROM lead_search_row WHERE record_uuid = new.uuid;
END;
CREATE TABLE deal_search_row (id integer PRIMARY KEY NOT NULL, record_uuid text NOT NULL);
CREATE UNIQUE INDEX deal_search_row_record ON deal_search_row (record_uuid);
CREATE VIRTUAL TABLE deal_search USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram');
INSERT INTO deal_search_row (record_uuid) SELECT uuid FROM deal ORDER BY created_at;
INSERT INTO deal_search (rowid, text) SELECT id, fold(char(1, 1) || coalesce(r.label, '')) FROM deal_search_row JOIN deal r ON r.uuid = record_uuid;
INSERT INTO search_state (kind, indexed_to) SELECT 'deal', coalesce(max(id), 0) FROM deal_search_row;
CREATE TRIGGER deal_search_insert AFTER INSERT ON deal BEGIN
	INSERT INTO deal_search_row (record_uuid) VALUES (new.uuid);
END;
CREATE TRIGGER deal_search_batch AFTER INSERT ON deal_search_row WHEN new.id % 128 = 0 BEGIN
	INSERT INTO deal_search (rowid, text) SELECT s.id, fold(char(1, 1) || coalesce(r.label, '')) FROM deal_search_row s JOIN deal r ON r.uuid = s.record_uuid WHERE s.id > (SELECT indexed_to FROM search_state WHERE kind = 'deal');
	UPDATE search_state SET indexed_to = new.id WHERE kind = 'deal';
END;
CREATE TRIGGER deal_search_update AFTER UPDATE OF label ON deal WHEN (SELECT id FROM deal_search_row WHERE record_uuid = new.uuid) <= (SELECT indexed_to FROM search_state WHERE kind = 'deal') BEGIN
	INSERT OR REPLACE INTO deal_search (rowid, text) SELECT id, fold(char(1, 1) || coalesce(new.label, '')) FROM deal_search_row WHERE record_uuid = new.uuid;
END;
CREATE TABLE product_search_row (id integer PRIMARY KEY NOT NULL, record_uuid text NOT NULL);
CREATE UNIQUE INDEX product_search_row_record ON product_search_row (record_uuid);
CREATE VIRTUAL TABLE product_search USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram');
INSERT INTO product_search_row (record_uuid) SELECT uuid FROM product ORDER BY created_at;
INSERT INTO product_search (rowid, text) SELECT id, fold(char(1, 1) || coalesce(r.name, '') || char(1, 1) || coalesce(r.sku, '')) FROM product_search_row JOIN product r ON r.uuid = record_uuid;
INSERT INTO search_state (kind, indexed_to) SELECT 'product', coalesce(max(id), 0) FROM product_search_row;
CREATE TRIGGER product_search_insert AFTER INSERT ON product BEGIN
	INSERT INTO product_search_row (record_uuid) VALUES (new.uuid);
END;
CREATE TRIGGER product_search_batch AFTER INSERT ON product_search_row WHEN new.id % 128 = 0 BEGIN
	INSERT INTO product_search (rowid, text) SELECT s.id, fold(char(1, 1) || coalesce(r.name, '') || char(1, 1) || coalesce(r.sku, '')) FROM product_search_row s JOIN product r ON r.uuid = s.record_uuid WHERE s.id > (SELECT indexed_to FROM search_state WHERE kind = 'product');
	UPDATE search_state SET indexed_to = new.id WHERE kind = 'product';
END;
CREATE TRIGGER product_search_update AFTER UPDATE OF name, sku ON product WHEN (SELECT id FROM product_search_row WHERE record_uuid = new.uuid) <= (SELECT indexed_to FROM search_state WHERE kind = 'product') BEGIN
	INSERT OR REPLACE INTO product_search (rowid, text) SELECT id, fold(char(1, 1) || coalesce(new.name, '') || char(1, 1) || coalesce(new.sku, '')) FROM product_search_row WHERE record_uuid = new.uuid;
END;
CREATE TABLE contact_search_row (id integer PRIMARY KEY NOT NULL, record_uuid text NOT NULL);
CREATE UNIQUE INDEX contact_search_row_record ON contact_search_row (record_uuid);
CREATE VIRTUAL TABLE contact_search USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram');
INSERT INTO contact_search_row (record_uuid) SELECT uuid FROM contact ORDER BY created_at;
INSERT INTO contact_search (rowid, text) SELECT id, fold(char(1, 1) || coalesce(r.email, '') || char(1, 1) || coalesce(r.first_name, '') || char(1, 1) || coalesce(r.last_name, '')) FROM contact_search_row JOIN contact r ON r.uuid = record_uuid;
INSERT INTO search_state (kind, indexed_to) SELECT 'contact', coalesce(max(id), 0) FROM contact_search_row;
CREATE TRIGGER contact_search_insert AFTER INSERT ON contact BEGIN
	INSERT INTO contact_search_row (record_uuid) VALUES (new.uuid);
END;
CREATE TRIGGER contact_search_batch AFTER INSERT ON contact_search_row WHEN new.id % 128 = 0 BEGIN
	INSERT INTO contact_search (rowid, text) SELECT s.id, fold(char(1, 1) || coalesce(r.email, '') || char(1, 1) || coalesce(r.first_name, '') || char(1, 1) || coalesce(r.last_name, '')) FROM contact_search_row s JOIN contact r ON r.uuid = s.record_uuid WHERE s.id > (SELECT indexed_to FROM search_state WHERE kind = 'contact');
	UPDATE search_state SET indexed_to = new.id WHERE kind = 'contact';
END;
CREATE TRIGGER contact_search_update AFTER UPDATE OF email, first_name, last_name ON contact WHEN (SELECT id FROM contact_search_row WHERE record_uuid = new.uuid) <= (SELECT indexed_to FROM search_state WHERE kind = 'contact') BEGIN
	INSERT OR REPLACE INTO contact_search (rowid, text) SELECT id, fold(char(1, 1) || coalesce(new.email, '') || char(1, 1) || coalesce(new.first_name, '') || char(1, 1) || coalesce(new.last_name, '')) FROM contact_search_row WHERE record_uuid = new.uuid;
END;
