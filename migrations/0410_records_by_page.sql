-- Old idempotency records and answers are found by reading their tables in parts, of all tenants at once, in place of indexes by time that
-- every append maintained (docs/decisions/what-is-deleted-in-time.md).
DROP INDEX journal.receipts_to_delete, journal.answers_to_delete;
CREATE POLICY directory ON journal.receipts FOR SELECT USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');
CREATE POLICY directory ON journal.answers FOR SELECT USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');
