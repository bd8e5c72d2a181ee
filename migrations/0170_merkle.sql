-- The Merkle tree over each log (docs/chain-format.md), as far as it is kept: the roots of its full subtrees of 256 events
-- and more. Derived from the log: `caudal verify` recomputes every node, and nodes that differ are made anew before the
-- next checkpoint is signed. Appends do not touch it; it is extended when a root is wanted.
CREATE TABLE journal.merkle_nodes (
    tenant text COLLATE "C" NOT NULL,
    -- a node of level L is the root over 2^L events, from 8 on
    level  smallint NOT NULL CHECK (level BETWEEN 8 AND 62),
    -- its place among the nodes of its level, from 0
    number bigint   NOT NULL CHECK (number >= 0),
    hash   bytea    NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (tenant, level, number)
);

ALTER TABLE journal.merkle_nodes ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.merkle_nodes FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.merkle_nodes
    USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, DELETE ON journal.merkle_nodes TO caudal_node;

-- A checkpoint of format 2 may stand beside one of format 1 for the same end of the log and the same key.
ALTER TABLE journal.checkpoints ADD COLUMN format integer NOT NULL DEFAULT 1;
ALTER TABLE journal.checkpoints DROP CONSTRAINT checkpoints_pkey;
ALTER TABLE journal.checkpoints ADD PRIMARY KEY (tenant, position, hash, key, format);
-- What witnesses answered to it.
ALTER TABLE journal.checkpoints ADD COLUMN cosignatures json NOT NULL DEFAULT '[]';
GRANT UPDATE (cosignatures) ON journal.checkpoints TO caudal_node;
