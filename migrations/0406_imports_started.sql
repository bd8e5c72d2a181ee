-- When the first run of an import began: from then on a row without a result may have been submitted.
ALTER TABLE journal.imports ADD COLUMN started_at timestamptz;
-- The owner is held to the policies as well, and notes it of all tenants.
ALTER TABLE journal.imports NO FORCE ROW LEVEL SECURITY;
ALTER TABLE journal.import_rows NO FORCE ROW LEVEL SECURITY;
UPDATE journal.imports AS i SET started_at = i.changed_at
 WHERE i.state IN ('running', 'paused', 'done', 'canceled')
    OR EXISTS (SELECT FROM journal.import_rows AS r
                WHERE r.tenant = i.tenant AND r.import = i.id AND r.result IS NOT NULL);
ALTER TABLE journal.imports FORCE ROW LEVEL SECURITY;
ALTER TABLE journal.import_rows FORCE ROW LEVEL SECURITY;
