-- Imports of files. `id` derives from the owner, the kind and the content's digest, so that one file is one import. `owner`
-- is the seller whose file it is, or the nil id for the office. `details` (name, headers, mapping, notices) is encrypted.
-- `next_row` is how many rows the pass under way has done; `counts` are the rows by result when a pass ended. A node that
-- works on it holds it until `held_until`. Without MAC: what an import adds is decided by the log, under keys that no row
-- here changes.
CREATE TABLE journal.imports (
    tenant      text COLLATE "C" NOT NULL,
    id          uuid             NOT NULL,
    owner       uuid             NOT NULL,
    maker       uuid             NOT NULL,
    kind        text COLLATE "C" NOT NULL,
    details     bytea,
    rows        integer          NOT NULL,
    state       text COLLATE "C" NOT NULL,
    next_row    integer          NOT NULL DEFAULT 0,
    failure     text COLLATE "C",
    summary     jsonb,
    counts      jsonb,
    created_at  timestamptz      NOT NULL,
    changed_at  timestamptz      NOT NULL,
    erase_at    timestamptz      NOT NULL,
    holder      uuid,
    held_until  timestamptz,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX imports_by_owner ON journal.imports (tenant, owner, created_at DESC);
CREATE INDEX imports_at_work ON journal.imports (state) WHERE state IN ('previewing', 'running');
CREATE INDEX imports_to_erase ON journal.imports (erase_at) WHERE details IS NOT NULL;
CREATE POLICY directory ON journal.imports FOR SELECT
 USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');

-- Rows of an import's file, encrypted, some hundred per piece; deleted with `details` at `erase_at`.
CREATE TABLE journal.import_chunks (
    tenant  text COLLATE "C" NOT NULL,
    import  uuid             NOT NULL,
    chunk   integer          NOT NULL,
    content bytea            NOT NULL,
    PRIMARY KEY (tenant, import, chunk)
);

-- What becomes of each row: by the latest preview, and by the run. `row` counts from 0, `line` is the file's. Errors have
-- codes and columns, and nothing of the cells. A person may leave a row out.
CREATE TABLE journal.import_rows (
    tenant   text COLLATE "C" NOT NULL,
    import   uuid             NOT NULL,
    row      integer          NOT NULL,
    line     integer          NOT NULL,
    preview  jsonb,
    result   text COLLATE "C",
    errors   jsonb,
    record   uuid,
    code     text COLLATE "C",
    left_out boolean          NOT NULL DEFAULT false,
    PRIMARY KEY (tenant, import, row)
);

-- The mapping that was last used for files with the same headers, encrypted. `headers` is their keyed hash.
CREATE TABLE journal.import_profiles (
    tenant  text COLLATE "C" NOT NULL,
    owner   uuid             NOT NULL,
    kind    text COLLATE "C" NOT NULL,
    headers bytea            NOT NULL CHECK (octet_length(headers) = 32),
    mapping bytea            NOT NULL,
    used_at timestamptz      NOT NULL,
    PRIMARY KEY (tenant, owner, kind, headers)
);

ALTER TABLE journal.imports ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.imports FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.imports USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.imports TO caudal_node;
ALTER TABLE journal.import_chunks ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.import_chunks FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.import_chunks USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.import_chunks TO caudal_node;
ALTER TABLE journal.import_rows ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.import_rows FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.import_rows USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.import_rows TO caudal_node;
ALTER TABLE journal.import_profiles ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.import_profiles FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.import_profiles USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.import_profiles TO caudal_node;
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.imports
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.import_chunks
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.import_rows
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.import_profiles
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
