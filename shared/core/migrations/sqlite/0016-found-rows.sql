-- Written by hand: what drizzle cannot say. A rebuilt table loses its triggers; create them again there.

-- A list by text alone is read from *_search_row: it tells whose a record is, its time and whether it is archived, so that
-- of all records found only those of the page are visited. That needs an index that has the last word: its text is folded by
-- `fold` already, and FTS5 must not fold it once more; the marks before members are not folded, because a member may hold them.

ALTER TABLE partner_search_row ADD company_uuid text;
ALTER TABLE partner_search_row ADD created_at integer;
ALTER TABLE partner_search_row ADD archived_at integer;
UPDATE partner_search_row SET company_uuid = r.company_uuid, created_at = r.created_at, archived_at = r.archived_at FROM partner r WHERE r.uuid = record_uuid;
DROP TABLE partner_search;
CREATE VIRTUAL TABLE partner_search USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1');
INSERT INTO partner_search (rowid, text) SELECT s.id, char(1, 1) || fold(coalesce(r.name, '')) || char(1, 1) || fold(coalesce(r.email, '')) FROM partner_search_row s JOIN partner r ON r.uuid = s.record_uuid WHERE s.id <= (SELECT indexed_to FROM search_state WHERE kind = 'partner');
DROP TRIGGER partner_search_insert;
CREATE TRIGGER partner_search_insert AFTER INSERT ON partner BEGIN
	INSERT INTO partner_search_row (record_uuid, company_uuid, created_at, archived_at) VALUES (new.uuid, new.company_uuid, new.created_at, new.archived_at);
END;
DROP TRIGGER partner_search_batch;
CREATE TRIGGER partner_search_batch AFTER INSERT ON partner_search_row WHEN new.id % 128 = 0 BEGIN
	INSERT INTO partner_search (rowid, text) SELECT s.id, char(1, 1) || fold(coalesce(r.name, '')) || char(1, 1) || fold(coalesce(r.email, '')) FROM partner_search_row s JOIN partner r ON r.uuid = s.record_uuid WHERE s.id > (SELECT indexed_to FROM search_state WHERE kind = 'partner');
	UPDATE search_state SET indexed_to = new.id WHERE kind = 'partner';
END;
DROP TRIGGER partner_search_update;
CREATE TRIGGER partner_search_update AFTER UPDATE OF name, email ON partner WHEN (SELECT id FROM partner_search_row WHERE record_uuid = new.uuid) <= (SELECT indexed_to FROM search_state WHERE kind = 'partner') BEGIN
	INSERT OR REPLACE INTO partner_search (rowid, text) SELECT id, char(1, 1) || fold(coalesce(new.name, '')) || char(1, 1) || fold(coalesce(new.email, '')) FROM partner_search_row WHERE record_uuid = new.uuid;
END;
CREATE TRIGGER partner_search_archive AFTER UPDATE OF archived_at ON partner BEGIN
	UPDATE partner_search_row SET archived_at = new.archived_at WHERE record_uuid = new.uuid;
END;

ALTER TABLE lead_search_row ADD company_uuid text;
ALTER TABLE lead_search_row ADD created_at integer;
ALTER TABLE lead_search_row ADD archived_at integer;
UPDATE lead_search_row SET company_uuid = r.company_uuid, created_at = r.created_at, archived_at = r.archived_at FROM lead r WHERE r.uuid = record_uuid;
DROP TABLE lead_search;
CREATE VIRTUAL TABLE lead_search USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1');
INSERT INTO lead_search (rowid, text) SELECT s.id, char(1, 1) || fold(coalesce(r.company_name, '')) || char(1, 1) || fold(coalesce(r.first_name, '')) || char(1, 1) || fold(coalesce(r.last_name, '')) || char(1, 1) || fold(coalesce(r.email, '')) FROM lead_search_row s JOIN lead r ON r.uuid = s.record_uuid WHERE s.id <= (SELECT indexed_to FROM search_state WHERE kind = 'lead');
DROP TRIGGER lead_search_insert;
CREATE TRIGGER lead_search_insert AFTER INSERT ON lead BEGIN
	INSERT INTO lead_search_row (record_uuid, company_uuid, created_at, archived_at) VALUES (new.uuid, new.company_uuid, new.created_at, new.archived_at);
END;
DROP TRIGGER lead_search_batch;
CREATE TRIGGER lead_search_batch AFTER INSERT ON lead_search_row WHEN new.id % 128 = 0 BEGIN
	INSERT INTO lead_search (rowid, text) SELECT s.id, char(1, 1) || fold(coalesce(r.company_name, '')) || char(1, 1) || fold(coalesce(r.first_name, '')) || char(1, 1) || fold(coalesce(r.last_name, '')) || char(1, 1) || fold(coalesce(r.email, '')) FROM lead_search_row s JOIN lead r ON r.uuid = s.record_uuid WHERE s.id > (SELECT indexed_to FROM search_state WHERE kind = 'lead');
	UPDATE search_state SET indexed_to = new.id WHERE kind = 'lead';
END;
DROP TRIGGER lead_search_update;
CREATE TRIGGER lead_search_update AFTER UPDATE OF company_name, first_name, last_name, email ON lead WHEN (SELECT id FROM lead_search_row WHERE record_uuid = new.uuid) <= (SELECT indexed_to FROM search_state WHERE kind = 'lead') BEGIN
	INSERT OR REPLACE INTO lead_search (rowid, text) SELECT id, char(1, 1) || fold(coalesce(new.company_name, '')) || char(1, 1) || fold(coalesce(new.first_name, '')) || char(1, 1) || fold(coalesce(new.last_name, '')) || char(1, 1) || fold(coalesce(new.email, '')) FROM lead_search_row WHERE record_uuid = new.uuid;
END;
CREATE TRIGGER lead_search_archive AFTER UPDATE OF archived_at ON lead BEGIN
	UPDATE lead_search_row SET archived_at = new.archived_at WHERE record_uuid = new.uuid;
END;

ALTER TABLE deal_search_row ADD company_uuid text;
ALTER TABLE deal_search_row ADD created_at integer;
ALTER TABLE deal_search_row ADD archived_at integer;
UPDATE deal_search_row SET company_uuid = r.company_uuid, created_at = r.created_at, archived_at = r.archived_at FROM deal r WHERE r.uuid = record_uuid;
DROP TABLE deal_search;
CREATE VIRTUAL TABLE deal_search USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1');
INSERT INTO deal_search (rowid, text) SELECT s.id, char(1, 1) || fold(coalesce(r.label, '')) FROM deal_search_row s JOIN deal r ON r.uuid = s.record_uuid WHERE s.id <= (SELECT indexed_to FROM search_state WHERE kind = 'deal');
DROP TRIGGER deal_search_insert;
CREATE TRIGGER deal_search_insert AFTER INSERT ON deal BEGIN
	INSERT INTO deal_search_row (record_uuid, company_uuid, created_at, archived_at) VALUES (new.uuid, new.company_uuid, new.created_at, new.archived_at);
END;
DROP TRIGGER deal_search_batch;
CREATE TRIGGER deal_search_batch AFTER INSERT ON deal_search_row WHEN new.id % 128 = 0 BEGIN
	INSERT INTO deal_search (rowid, text) SELECT s.id, char(1, 1) || fold(coalesce(r.label, '')) FROM deal_search_row s JOIN deal r ON r.uuid = s.record_uuid WHERE s.id > (SELECT indexed_to FROM search_state WHERE kind = 'deal');
	UPDATE search_state SET indexed_to = new.id WHERE kind = 'deal';
END;
DROP TRIGGER deal_search_update;
CREATE TRIGGER deal_search_update AFTER UPDATE OF label ON deal WHEN (SELECT id FROM deal_search_row WHERE record_uuid = new.uuid) <= (SELECT indexed_to FROM search_state WHERE kind = 'deal') BEGIN
	INSERT OR REPLACE INTO deal_search (rowid, text) SELECT id, char(1, 1) || fold(coalesce(new.label, '')) FROM deal_search_row WHERE record_uuid = new.uuid;
END;
CREATE TRIGGER deal_search_archive AFTER UPDATE OF archived_at ON deal BEGIN
	UPDATE deal_search_row SET archived_at = new.archived_at WHERE record_uuid = new.uuid;
END;

ALTER TABLE product_search_row ADD company_uuid text;
ALTER TABLE product_search_row ADD created_at integer;
ALTER TABLE product_search_row ADD archived_at integer;
UPDATE product_search_row SET company_uuid = r.company_uuid, created_at = r.created_at, archived_at = r.archived_at FROM product r WHERE r.uuid = record_uuid;
DROP TABLE product_search;
CREATE VIRTUAL TABLE product_search USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1');
INSERT INTO product_search (rowid, text) SELECT s.id, char(1, 1) || fold(coalesce(r.name, '')) || char(1, 1) || fold(coalesce(r.sku, '')) FROM product_search_row s JOIN product r ON r.uuid = s.record_uuid WHERE s.id <= (SELECT indexed_to FROM search_state WHERE kind = 'product');
DROP TRIGGER product_search_insert;
CREATE TRIGGER product_search_insert AFTER INSERT ON product BEGIN
	INSERT INTO product_search_row (record_uuid, company_uuid, created_at, archived_at) VALUES (new.uuid, new.company_uuid, new.created_at, new.archived_at);
END;
DROP TRIGGER product_search_batch;
CREATE TRIGGER product_search_batch AFTER INSERT ON product_search_row WHEN new.id % 128 = 0 BEGIN
	INSERT INTO product_search (rowid, text) SELECT s.id, char(1, 1) || fold(coalesce(r.name, '')) || char(1, 1) || fold(coalesce(r.sku, '')) FROM product_search_row s JOIN product r ON r.uuid = s.record_uuid WHERE s.id > (SELECT indexed_to FROM search_state WHERE kind = 'product');
	UPDATE search_state SET indexed_to = new.id WHERE kind = 'product';
END;
DROP TRIGGER product_search_update;
CREATE TRIGGER product_search_update AFTER UPDATE OF name, sku ON product WHEN (SELECT id FROM product_search_row WHERE record_uuid = new.uuid) <= (SELECT indexed_to FROM search_state WHERE kind = 'product') BEGIN
	INSERT OR REPLACE INTO product_search (rowid, text) SELECT id, char(1, 1) || fold(coalesce(new.name, '')) || char(1, 1) || fold(coalesce(new.sku, '')) FROM product_search_row WHERE record_uuid = new.uuid;
END;
CREATE TRIGGER product_search_archive AFTER UPDATE OF archived_at ON product BEGIN
	UPDATE product_search_row SET archived_at = new.archived_at WHERE record_uuid = new.uuid;
END;

ALTER TABLE contact_search_row ADD company_uuid text;
ALTER TABLE contact_search_row ADD created_at integer;
ALTER TABLE contact_search_row ADD archived_at integer;
UPDATE contact_search_row SET company_uuid = r.company_uuid, created_at = r.created_at FROM contact r WHERE r.uuid = record_uuid;
DROP TABLE contact_search;
CREATE VIRTUAL TABLE contact_search USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1');
INSERT INTO contact_search (rowid, text) SELECT s.id, char(1, 1) || fold(coalesce(r.email, '')) || char(1, 1) || fold(coalesce(r.first_name, '')) || char(1, 1) || fold(coalesce(r.last_name, '')) FROM contact_search_row s JOIN contact r ON r.uuid = s.record_uuid WHERE s.id <= (SELECT indexed_to FROM search_state WHERE kind = 'contact');
DROP TRIGGER contact_search_insert;
CREATE TRIGGER contact_search_insert AFTER INSERT ON contact BEGIN
	INSERT INTO contact_search_row (record_uuid, company_uuid, created_at) VALUES (new.uuid, new.company_uuid, new.created_at);
END;
DROP TRIGGER contact_search_batch;
CREATE TRIGGER contact_search_batch AFTER INSERT ON contact_search_row WHEN new.id % 128 = 0 BEGIN
	INSERT INTO contact_search (rowid, text) SELECT s.id, char(1, 1) || fold(coalesce(r.email, '')) || char(1, 1) || fold(coalesce(r.first_name, '')) || char(1, 1) || fold(coalesce(r.last_name, '')) FROM contact_search_row s JOIN contact r ON r.uuid = s.record_uuid WHERE s.id > (SELECT indexed_to FROM search_state WHERE kind = 'contact');
	UPDATE search_state SET indexed_to = new.id WHERE kind = 'contact';
END;
DROP TRIGGER contact_search_update;
CREATE TRIGGER contact_search_update AFTER UPDATE OF email, first_name, last_name ON contact WHEN (SELECT id FROM contact_search_row WHERE record_uuid = new.uuid) <= (SELECT indexed_to FROM search_state WHERE kind = 'contact') BEGIN
	INSERT OR REPLACE INTO contact_search (rowid, text) SELECT id, char(1, 1) || fold(coalesce(new.email, '')) || char(1, 1) || fold(coalesce(new.first_name, '')) || char(1, 1) || fold(coalesce(new.last_name, '')) FROM contact_search_row WHERE record_uuid = new.uuid;
END;
-- The row stays, so that its number is not given again: it is nobody's, and its text goes.
CREATE TRIGGER contact_search_delete AFTER DELETE ON contact BEGIN
	DELETE FROM contact_search WHERE rowid = (SELECT id FROM contact_search_row WHERE record_uuid = old.uuid AND id <= (SELECT indexed_to FROM search_state WHERE kind = 'contact'));
	UPDATE contact_search_row SET company_uuid = NULL WHERE record_uuid = old.uuid;
END;
