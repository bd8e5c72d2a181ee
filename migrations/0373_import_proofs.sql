-- The ZIP of proofs of an import of completions: its name and the names of its entries, encrypted.
ALTER TABLE journal.imports ADD COLUMN proofs bytea;

-- Entries of the ZIP, encrypted; deleted with `details` at `erase_at`.
CREATE TABLE journal.import_proofs (
    tenant  text COLLATE "C" NOT NULL,
    import  uuid             NOT NULL,
    entry   integer          NOT NULL,
    content bytea            NOT NULL,
    PRIMARY KEY (tenant, import, entry)
);
ALTER TABLE journal.import_proofs ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.import_proofs FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.import_proofs USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.import_proofs TO caudal_node;
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.import_proofs
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
