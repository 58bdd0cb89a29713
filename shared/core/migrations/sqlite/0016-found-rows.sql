-- Written by hand: what drizzle cannot say. A rebuilt table loses its triggers; create them again there.

-- A list by text alone is read from *_search_row: it tells whose a record is, its time and whether it is archived, so that
-- of all records found only those of the page are visited. That needs an index that has the last word: its text is folded by
-- `fold` already, and FTS5 must not fold it once more.

ALTER TABLE partner_search_row ADD company_uuid text;
ALTER TABLE partner_search_row ADD created_at integer;
ALTER TABLE partner_search_row ADD archived_at integer;
UPDATE partner_search_row SET company_uuid = r.company_uuid, created_at = r.created_at, archived_at = r.archived_at FROM partner r WHERE r.uuid = record_uuid;
DROP TABLE partner_search;
CREATE VIRTUAL TABLE partner_search USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1');
INSERT INTO partner_search (rowid, text) SELECT s.id, fold(char(1, 1) || coalesce(r.name, '') || char(1, 1) || coalesce(r.email, '')) FROM partner_search_row s JOIN partner r ON r.uuid = s.record_uuid WHERE s.id <= (SELECT indexed_to FROM search_state WHERE kind = 'partner');
DROP TRIGGER partner_search_insert;
CREATE TRIGGER partner_search_insert AFTER INSERT ON partner BEGIN
	INSERT INTO partner_search_row (record_uuid, company_uuid, created_at, archived_at) VALUES (new.uuid, new.company_uuid, new.created_at, new.archived_at);
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
INSERT INTO lead_search (rowid, text) SELECT s.id, fold(char(1, 1) || coalesce(r.company_name, '') || char(1, 1) || coalesce(r.first_name, '') || char(1, 1) || coalesce(r.last_name, '') || char(1, 1) || coalesce(r.email, '')) FROM lead_search_row s JOIN lead r ON r.uuid = s.record_uuid WHERE s.id <= (SELECT indexed_to FROM search_state WHERE kind = 'lead');
DROP TRIGGER lead_search_insert;
CREATE TRIGGER lead_search_insert AFTER INSERT ON lead BEGIN
	INSERT INTO lead_search_row (record_uuid, company_uuid, created_at, archived_at) VALUES (new.uuid, new.company_uuid, new.created_at, new.archived_at);
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
INSERT INTO deal_search (rowid, text) SELECT s.id, fold(char(1, 1) || coalesce(r.label, '')) FROM deal_search_row s JOIN deal r ON r.uuid = s.record_uuid WHERE s.id <= (SELECT indexed_to FROM search_state WHERE kind = 'deal');
DROP TRIGGER deal_search_insert;
CREATE TRIGGER deal_search_insert AFTER INSERT ON deal BEGIN
	INSERT INTO deal_search_row (record_uuid, company_uuid, created_at, archived_at) VALUES (new.uuid, new.company_uuid, new.created_at, new.archived_at);
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
INSERT INTO product_search (rowid, text) SELECT s.id, fold(char(1, 1) || coalesce(r.name, '') || char(1, 1) || coalesce(r.sku, '')) FROM product_search_row s JOIN product r ON r.uuid = s.record_uuid WHERE s.id <= (SELECT indexed_to FROM search_state WHERE kind = 'product');
DROP TRIGGER product_search_insert;
CREATE TRIGGER product_search_insert AFTER INSERT ON product BEGIN
	INSERT INTO product_search_row (record_uuid, company_uuid, created_at, archived_at) VALUES (new.uuid, new.company_uuid, new.created_at, new.archived_at);
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
INSERT INTO contact_search (rowid, text) SELECT s.id, fold(char(1, 1) || coalesce(r.email, '') || char(1, 1) || coalesce(r.first_name, '') || char(1, 1) || coalesce(r.last_name, '')) FROM contact_search_row s JOIN contact r ON r.uuid = s.record_uuid WHERE s.id <= (SELECT indexed_to FROM search_state WHERE kind = 'contact');
DROP TRIGGER contact_search_insert;
CREATE TRIGGER contact_search_insert AFTER INSERT ON contact BEGIN
	INSERT INTO contact_search_row (record_uuid, company_uuid, created_at) VALUES (new.uuid, new.company_uuid, new.created_at);
END;
-- The row stays, so that its number is not given again: it is nobody's.
CREATE TRIGGER contact_search_delete AFTER DELETE ON contact BEGIN
	UPDATE contact_search_row SET company_uuid = NULL WHERE record_uuid = old.uuid;
END;
