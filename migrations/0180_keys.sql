-- Proofs of the master keys, and what a login that owns nothing may read of the migrations.

-- One row a master key that ever wrapped a data key here: an HMAC under that key, by which a node recognises that its
-- key file has the same key under this id. A key whose data keys are all wrapped anew is retired, and may be missing.
CREATE TABLE journal.master_keys (
    id         text COLLATE "C" PRIMARY KEY,
    proof      bytea NOT NULL CHECK (octet_length(proof) = 32),
    retired_at timestamptz
);
GRANT SELECT, INSERT, UPDATE (retired_at) ON journal.master_keys TO caudal_node;

-- Nodes that may not migrate check that somebody did.
GRANT SELECT ON _sqlx_migrations TO caudal_node;
