-- The proposal that a row of an import waits for, and the number of those that ended without effect before.
ALTER TABLE journal.import_rows ADD COLUMN proposal uuid;
ALTER TABLE journal.import_rows ADD COLUMN ended_approvals integer NOT NULL DEFAULT 0;
CREATE INDEX import_rows_proposed ON journal.import_rows (tenant, import) WHERE proposal IS NOT NULL;
