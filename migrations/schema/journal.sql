-- Schema `journal`: the log, and the rows backed up with it. This page is the current definition, from which a new
-- database is made. The numbered migrations bring an older database to the same schema, and a test compares the two.
--
-- Every table is keyed by tenant first. Rows beside the log have a MAC under the key file (`mac`); nodes refuse a row
-- whose MAC does not match.

CREATE SCHEMA journal;
COMMENT ON SCHEMA journal IS 'The truth and what is backed up with it: heads, events, receipts, claims, keys, credentials, sessions, files.';
GRANT USAGE ON SCHEMA journal TO caudal_node;

-- Head: the end of a tenant's log, one row per tenant. Every append advances it, so that positions are gap-free and in
-- commit order and the hash chain cannot fork. `epoch` is the fencing token. `mac` covers tenant, position, hash and time: all
-- events chain to the hash, so that it vouches for the whole log. NULL in an empty log, and where a node of an earlier version
-- appended last.
CREATE TABLE journal.heads (
    tenant      text COLLATE "C" PRIMARY KEY,
    position    bigint           NOT NULL CHECK (position >= 0),
    hash        bytea            NOT NULL CHECK (octet_length(hash) = 32),
    epoch       bigint           NOT NULL DEFAULT 0,
    recorded_at timestamptz      NOT NULL,
    mac         bytea            CHECK (octet_length(mac) = 32)
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
-- The directory of tenants is read under the name '*', which no tenant can have.
CREATE POLICY directory ON journal.heads FOR SELECT USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');

-- The log. Column names are those of postgres-es, with tenant, position, time and hash added. Payload and metadata are
-- `json`, not `jsonb`: their exact text is hashed. Without other CHECK constraints, as the idempotency records: each would be parsed
-- anew by every append, and the hash, checked by whoever reads, covers what they would check.
CREATE TABLE journal.events (
    tenant         text COLLATE "C" NOT NULL,
    position       bigint           NOT NULL,
    aggregate_type text COLLATE "C" NOT NULL,
    aggregate_id   text COLLATE "C" NOT NULL,
    sequence       bigint           NOT NULL,
    event_type     text             NOT NULL,
    event_version  text             NOT NULL,
    payload        json             NOT NULL,
    metadata       json             NOT NULL,
    recorded_at    timestamptz      NOT NULL,
    hash           bytea            NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (tenant, position),
    UNIQUE (tenant, aggregate_type, aggregate_id, sequence)
);
-- BRIN suffices because events are in order of time, and costs an append next to nothing.
CREATE INDEX events_by_time ON journal.events USING brin (recorded_at);

-- Idempotency records. `digest` is an HMAC of the request, which detects another request under the same key without
-- storing the request.
CREATE TABLE journal.receipts (
    tenant      text COLLATE "C" NOT NULL,
    actor       text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    digest      bytea            NOT NULL,
    answer      json             NOT NULL,
    position    bigint           NOT NULL,
    recorded_at timestamptz      NOT NULL,
    mac         bytea,
    PRIMARY KEY (tenant, actor, key)
);
-- Old records of all tenants are found by reading the table in parts, under the name '*' of the directory: an index by time
-- would cost every append a twentieth (docs/decisions/what-is-deleted-in-time.md).
CREATE POLICY directory ON journal.receipts FOR SELECT USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');

-- Stored API answers by idempotency key (docs/decisions/answers-are-repeated.md). `body` is encrypted under the data
-- keys of the people it may mention.
CREATE TABLE journal.answers (
    tenant      text COLLATE "C" NOT NULL,
    actor       text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    -- HMAC of the request
    digest      bytea            NOT NULL CHECK (octet_length(digest) = 32),
    -- HTTP status
    status      smallint         NOT NULL,
    position    bigint           NOT NULL,
    -- concatenated ids of the people mentioned
    people      bytea            NOT NULL CHECK (octet_length(people) % 16 = 0),
    body        bytea            NOT NULL,
    recorded_at timestamptz      NOT NULL,
    mac         bytea,
    PRIMARY KEY (tenant, actor, key)
);
-- Old answers are found as old records are.
CREATE POLICY directory ON journal.answers FOR SELECT USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');

-- Index of unique values: one owner per value, and one value per owner and kind. `digest` is an HMAC of the value.
CREATE TABLE journal.claims (
    tenant text COLLATE "C" NOT NULL,
    kind   text COLLATE "C" NOT NULL,
    digest bytea            NOT NULL CHECK (octet_length(digest) = 32),
    owner  uuid             NOT NULL,
    mac    bytea,
    PRIMARY KEY (tenant, kind, digest),
    CONSTRAINT claims_one_value_an_owner UNIQUE (tenant, kind, owner)
);

-- Data keys of people, each wrapped by the master key named in `master`, which is never in the database. An erased
-- person's row stays without key (tombstone), so that no new key is ever generated.
CREATE TABLE journal.subject_keys (
    tenant       text COLLATE "C" NOT NULL,
    subject      uuid             NOT NULL,
    master       text,
    wrapped      bytea,
    forgotten_at timestamptz,
    mac          bytea,
    PRIMARY KEY (tenant, subject),
    CONSTRAINT subject_keys_wrapped_or_forgotten
        CHECK ((wrapped IS NULL) = (forgotten_at IS NOT NULL) AND (wrapped IS NULL) = (master IS NULL))
);
-- For rotations of the master key: data keys wrapped under other master keys, in batches.
CREATE INDEX subject_keys_by_master ON journal.subject_keys (tenant, master) WHERE master IS NOT NULL;

-- Password hashes of parties: argon2 in PHC string format. Never part of an event.
CREATE TABLE journal.credentials (
    tenant      text COLLATE "C" NOT NULL,
    party       uuid             NOT NULL,
    hash        text             NOT NULL,
    set_at      timestamptz      NOT NULL,
    -- Time of the last login or session renewal; outlives the sessions.
    last_access timestamptz,
    -- Excludes `last_access`, which is only displayed: the MAC would change at every login.
    mac         bytea,
    PRIMARY KEY (tenant, party)
);

-- State snapshots: a disposable cache of the folded state at a position. Valid only while the log's hash there is
-- `hash` and the state's version is `fingerprint`. The state is JSON, deflated, in base64.
CREATE TABLE journal.snapshots (
    tenant      text COLLATE "C" NOT NULL,
    fingerprint text             NOT NULL,
    position    bigint           NOT NULL,
    hash        bytea            NOT NULL,
    state       text             NOT NULL,
    written_at  timestamptz      NOT NULL DEFAULT now(),
    mac         bytea,
    PRIMARY KEY (tenant, fingerprint)
);
ALTER TABLE journal.snapshots ALTER COLUMN state SET STORAGE EXTERNAL;

-- One row: proves that a node's key file belongs to this database.
CREATE TABLE journal.keyring (
    only_row       boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
    proof          bytea       NOT NULL,
    -- Adoption of rows that predate MACs: from `adoption_began` to `adoption_ended` they get one; afterwards rows
    -- without a MAC are refused. `adoption_mac` authenticates both times.
    adoption_began timestamptz,
    adoption_ended timestamptz,
    adoption_mac   bytea,
    -- The same of heads, which have a MAC since a later version.
    heads_began    timestamptz,
    heads_ended    timestamptz,
    heads_mac      bytea,
    CONSTRAINT keyring_adoption_authenticated
        CHECK ((adoption_began IS NULL) = (adoption_mac IS NULL) AND (adoption_ended IS NULL OR adoption_began IS NOT NULL)),
    CONSTRAINT keyring_heads_authenticated
        CHECK ((heads_began IS NULL) = (heads_mac IS NULL) AND (heads_ended IS NULL OR heads_began IS NOT NULL))
);

-- Sessions: a login and its rotating refresh tokens. Only the hash of the current token is stored. A token used before
-- is in two hands, so its reuse ends the session.
CREATE TABLE journal.sessions (
    tenant        text COLLATE "C" NOT NULL,
    id            uuid             NOT NULL,
    party         uuid             NOT NULL,
    token_hash    bytea            NOT NULL CHECK (octet_length(token_hash) = 32),
    created_at    timestamptz      NOT NULL,
    renewed_at    timestamptz      NOT NULL,
    expires_at    timestamptz      NOT NULL,
    ended_at      timestamptz,
    -- 'logout', 'closed', 'reuse', 'password' or 'limit'
    ended_by      text,
    -- `password_of` is the `set_at` of the password used at login: a changed password ends the session. NULL for
    -- sessions older than this column, whose own start counts. `previous_hash` is the previous token, from which the
    -- current one was derived with `rotation_salt` at `rotated_at`.
    password_of   timestamptz,
    previous_hash bytea            CHECK (octet_length(previous_hash) = 32),
    rotation_salt bytea            CHECK (octet_length(rotation_salt) = 32),
    rotated_at    timestamptz,
    mac           bytea,
    -- Digest of the party's e-mail address at the login, as in `claims`: another address ends the session. NULL for
    -- sessions older than this column.
    address       bytea            CHECK (octet_length(address) = 32),
    PRIMARY KEY (tenant, id),
    CONSTRAINT sessions_ended_with_a_reason CHECK ((ended_at IS NULL) = (ended_by IS NULL)),
    CONSTRAINT sessions_rotated_whole
        CHECK ((previous_hash IS NULL) = (rotated_at IS NULL) AND (rotation_salt IS NULL) = (rotated_at IS NULL))
);
CREATE INDEX sessions_of_a_party ON journal.sessions (tenant, party, created_at) WHERE ended_at IS NULL;
CREATE INDEX sessions_to_forget ON journal.sessions (tenant, expires_at);

-- Where each session was last renewed: only displayed, to its owner and to managers. Without MAC.
CREATE TABLE journal.session_origins (
    tenant  text COLLATE "C" NOT NULL,
    session uuid             NOT NULL,
    browser text COLLATE "C" NOT NULL,
    system  text COLLATE "C" NOT NULL,
    address text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, session),
    FOREIGN KEY (tenant, session) REFERENCES journal.sessions (tenant, id) ON DELETE CASCADE
);

-- Uploaded files by content hash, which is also the name in the store.
CREATE TABLE journal.files (
    tenant     text COLLATE "C" NOT NULL,
    hash       text COLLATE "C" NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
    media_type text             NOT NULL,
    size       bigint           NOT NULL CHECK (size > 0),
    stored_at  timestamptz      NOT NULL,
    mac        bytea,
    PRIMARY KEY (tenant, hash)
);

-- Read permissions of files: whoever may see an owner may see the file. An uploader owns the upload.
CREATE TABLE journal.file_owners (
    tenant text COLLATE "C" NOT NULL,
    hash   text COLLATE "C" NOT NULL,
    -- 'party', 'remittance', 'hold_review' of a remittance, 'screening_review' or 'customer_document' of a customer
    kind   text COLLATE "C" NOT NULL,
    owner  uuid             NOT NULL,
    mac    bytea,
    PRIMARY KEY (tenant, hash, kind, owner),
    FOREIGN KEY (tenant, hash) REFERENCES journal.files(tenant, hash)
);

-- One-time codes by mail, the newest per party. Only a keyed hash is stored.
CREATE TABLE journal.reset_codes (
    tenant     text COLLATE "C" NOT NULL,
    party      uuid             NOT NULL,
    code_hash  bytea            NOT NULL CHECK (octet_length(code_hash) = 32),
    tries      smallint         NOT NULL DEFAULT 0 CHECK (tries >= 0),
    expires_at timestamptz      NOT NULL,
    mac        bytea,
    PRIMARY KEY (tenant, party)
);
CREATE INDEX reset_codes_to_forget ON journal.reset_codes (tenant, expires_at);

-- Verifications requested in the interface: one at a time per tenant, and the last ones. The row of a dead node stays
-- unfinished; `told_at` is its heartbeat.
CREATE TABLE journal.verifications (
    tenant      text COLLATE "C" NOT NULL,
    id          uuid             NOT NULL,
    asked_by    uuid             NOT NULL,
    started_at  timestamptz      NOT NULL,
    told_at     timestamptz      NOT NULL,
    finished_at timestamptz,
    -- 'chain', then 'read_models'
    phase       text             NOT NULL,
    position    bigint           NOT NULL,
    head        bigint           NOT NULL,
    hash        bytea,
    -- 'whole', 'wrong' or 'failed' when finished
    outcome     text,
    findings    json             NOT NULL,
    -- Number of checkpoints compared; NULL for verifications of earlier versions.
    checkpoints bigint           CHECK (checkpoints >= 0),
    -- NULL in results of earlier versions, which count for nothing
    mac         bytea,
    PRIMARY KEY (tenant, id),
    CONSTRAINT verifications_finished_with_an_outcome CHECK ((finished_at IS NULL) = (outcome IS NULL))
);
CREATE INDEX verifications_by_time ON journal.verifications (tenant, started_at);
CREATE UNIQUE INDEX verifications_one_at_a_time ON journal.verifications (tenant) WHERE finished_at IS NULL;

-- Signed checkpoints, listed for auditors. These rows prove nothing by themselves: the proof is the copy stored
-- elsewhere.
CREATE TABLE journal.checkpoints (
    tenant       text COLLATE "C" NOT NULL,
    position     bigint           NOT NULL,
    hash         bytea            NOT NULL,
    -- name of the signing key
    key          text COLLATE "C" NOT NULL,
    signed_at    timestamptz      NOT NULL,
    -- the signed file
    content      text             NOT NULL,
    -- A checkpoint of format 2 may coexist with one of format 1 for the same end of the log and the same key.
    format       integer          NOT NULL DEFAULT 1,
    -- Cosignatures of witnesses.
    cosignatures json             NOT NULL DEFAULT '[]'::json,
    PRIMARY KEY (tenant, position, hash, key, format)
);
CREATE INDEX checkpoints_by_time ON journal.checkpoints (tenant, signed_at);

-- Quarantine reports: a tenant whose log diverged from what a node had seen is not written to until an operator
-- decides. Nodes exchange reports through this table. Every row has a MAC under the key file: the database's owner can
-- neither forge a report nor end a quarantine, and a changed row is a quarantine for nodes without evidence of their own. A
-- database restore reverts these rows, but not the copies in the nodes' data folders.
CREATE TABLE journal.quarantines (
    tenant     text COLLATE "C" NOT NULL,
    -- report id
    report     uuid             NOT NULL,
    -- the report's own time, which `content` names
    noticed_at timestamptz      NOT NULL,
    -- what the node had seen, as JSON
    content    text             NOT NULL,
    -- the decision's own time, which `ending` names
    ended_at   timestamptz,
    -- the operator's decision, as JSON
    ending     text,
    -- HMAC of tenant, report, content and ending
    mac        bytea            NOT NULL CHECK (octet_length(mac) = 32),
    PRIMARY KEY (tenant, report),
    CONSTRAINT quarantines_ended_by_a_decision CHECK ((ended_at IS NULL) = (ending IS NULL))
);
-- Every node reads the reports of all tenants.
CREATE POLICY directory ON journal.quarantines FOR SELECT USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');

-- Stored nodes of each log's Merkle tree (docs/chain-format.md): roots of full subtrees of 256 events and more. Derived
-- from the log: `caudal verify` recomputes every node, and differing nodes are rebuilt before the next checkpoint is
-- signed. Appends do not write here; the tree is extended when a root is requested.
CREATE TABLE journal.merkle_nodes (
    tenant text COLLATE "C" NOT NULL,
    -- a node of level L is the root over 2^L events, from level 8
    level  smallint         NOT NULL CHECK (level >= 8 AND level <= 62),
    -- index among the nodes of its level, from 0
    number bigint           NOT NULL CHECK (number >= 0),
    hash   bytea            NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (tenant, level, number)
);

-- Proofs of master and session keys: an HMAC under each of them, by which a node verifies its key file. A retired master
-- key wraps nothing and may be missing from the file. The id of a session key begins with 'session '.
CREATE TABLE journal.master_keys (
    id         text COLLATE "C" PRIMARY KEY,
    proof      bytea            NOT NULL CHECK (octet_length(proof) = 32),
    retired_at timestamptz
);

-- Attempts to log in, to use a code and to get a mail, counted for all nodes. A subject is a keyed hash of an address,
-- an account, a device or a session, so the table names nobody. Attempts count across tenants: all rows have the tenant
-- '*', which no tenant can have. Rows expire with their window and are deleted by later attempts.
CREATE TABLE journal.attempts (
    tenant    text COLLATE "C" NOT NULL DEFAULT '*' CHECK (tenant = '*'),
    subject   bytea            NOT NULL CHECK (octet_length(subject) = 32),
    count     integer          NOT NULL CHECK (count >= 0),
    until     timestamptz      NOT NULL,
    -- expiry of each running attempt; covers nodes that are killed
    under_way timestamptz[]    NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant, subject)
);
CREATE INDEX attempts_to_delete ON journal.attempts (until);

-- Writer leases: the node that writes for a tenant, to which other nodes forward commands. A lease expires unless
-- renewed, by this server's clock. Appends ignore it. A node reads and renews the leases of all tenants at once: all
-- rows have the tenant '*', which no tenant can have.
CREATE TABLE journal.writer_leases (
    tenant    text COLLATE "C" NOT NULL DEFAULT '*' CHECK (tenant = '*'),
    of_tenant text COLLATE "C" NOT NULL,
    node      uuid             NOT NULL,
    address   text             NOT NULL,
    until     timestamptz      NOT NULL,
    mac       bytea            NOT NULL,
    PRIMARY KEY (tenant, of_tenant)
);

-- When each API key was last used: only displayed, written at most once in some minutes. Without MAC.
CREATE TABLE journal.api_key_uses (
    tenant  text COLLATE "C" NOT NULL,
    key     uuid             NOT NULL,
    used_at timestamptz      NOT NULL,
    PRIMARY KEY (tenant, key)
);

-- How far the deliveries to each endpoint are: `position` is the last one delivered or passed over. A node that delivers
-- holds the row until `held_until`, so that one node at a time does. A negative event is one of a lost history: with the sign
-- changed it is the last position before the loss. Without MAC: a changed position sends events again or leaves them out.
CREATE TABLE journal.webhook_positions (
    tenant        text COLLATE "C" NOT NULL,
    webhook       uuid             NOT NULL,
    replay_event  bigint           NOT NULL,
    resume_event  bigint           NOT NULL,
    position      bigint           NOT NULL,
    attempts      integer          NOT NULL DEFAULT 0,
    failing_since timestamptz,
    next_at       timestamptz      NOT NULL,
    holder        uuid,
    held_until    timestamptz,
    PRIMARY KEY (tenant, webhook)
);
CREATE POLICY directory ON journal.webhook_positions FOR SELECT
 USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');

-- The latest deliveries to each endpoint, for its screen: the last answer to each event. The body is read from the log.
-- `answer` may repeat it: it is null once a person was forgotten. Rows are deleted after 30 days, and with their endpoint.
-- Without MAC: displayed only.
CREATE TABLE journal.webhook_deliveries (
    tenant       text COLLATE "C" NOT NULL,
    webhook      uuid             NOT NULL,
    position     bigint           NOT NULL,
    event_id     text COLLATE "C" NOT NULL,
    event_type   text COLLATE "C" NOT NULL,
    attempts     integer          NOT NULL,
    at           timestamptz      NOT NULL,
    delivered    boolean          NOT NULL,
    status       integer,
    failure      text COLLATE "C",
    answer       text,
    milliseconds integer          NOT NULL,
    PRIMARY KEY (tenant, webhook, position)
);
CREATE INDEX webhook_deliveries_by_time ON journal.webhook_deliveries (tenant, webhook, at);

-- Imports of files. `id` derives from the owner, the kind and the content's digest, so that one file is one import. `owner`
-- is the seller whose file it is, or the nil id for the office. `details` (name, headers, mapping, notices) is encrypted,
-- and so is `proofs`, the name of the ZIP of proofs with those of its entries. `details` open for their owner, maker and kind alone.
-- `next_row` is how many rows the pass under way has done; `counts` are the rows by result when a pass ended. A node that
-- works on it holds it until `held_until`. `started_at` is when its first run began: from then on a row without a result may
-- have been submitted. `pass` counts its previews; `previewed` is the MAC of the latest one's totals, `ordered` that of the order
-- to run it. What an import adds is decided by the log, under keys that no row here changes.
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
    proofs      bytea,
    started_at  timestamptz,
    pass        integer          NOT NULL DEFAULT 0,
    previewed   bytea,
    ordered     bytea,
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

-- Entries of the ZIP of proofs of an import of completions, encrypted; deleted with `details` at `erase_at`.
CREATE TABLE journal.import_proofs (
    tenant  text COLLATE "C" NOT NULL,
    import  uuid             NOT NULL,
    entry   integer          NOT NULL,
    content bytea            NOT NULL,
    PRIMARY KEY (tenant, import, entry)
);

-- What becomes of each row: by the latest preview, and by the run. `row` counts from 0, `line` is the file's. Errors have
-- codes and columns, and nothing of the cells. A person may leave a row out. `proposal` is the one that the row, or its card,
-- waits for; `ended_approvals` counts those before it that ended without effect. `mac` is of `left_out` and `preview`, in the
-- preview `pass`.
CREATE TABLE journal.import_rows (
    tenant          text COLLATE "C" NOT NULL,
    import          uuid             NOT NULL,
    row             integer          NOT NULL,
    line            integer          NOT NULL,
    preview         jsonb,
    result          text COLLATE "C",
    errors          jsonb,
    record          uuid,
    code            text COLLATE "C",
    left_out        boolean          NOT NULL DEFAULT false,
    proposal        uuid,
    ended_approvals integer          NOT NULL DEFAULT 0,
    pass            integer          NOT NULL DEFAULT 0,
    mac             bytea,
    PRIMARY KEY (tenant, import, row)
);
CREATE INDEX import_rows_proposed ON journal.import_rows (tenant, import) WHERE proposal IS NOT NULL;

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

-- Files and bytes uploaded per party and day (UTC); rows older than two days are deleted by the next upload.
CREATE TABLE journal.uploads (
    tenant text COLLATE "C" NOT NULL,
    party  uuid             NOT NULL,
    day    date             NOT NULL,
    files  bigint           NOT NULL CHECK (files >= 0),
    bytes  bigint           NOT NULL CHECK (bytes >= 0),
    PRIMARY KEY (tenant, party, day)
);

-- Total size of a tenant's files, maintained by a trigger, so that uploads need not sum all files.
CREATE TABLE journal.file_totals (
    tenant text COLLATE "C" PRIMARY KEY,
    files  bigint           NOT NULL,
    bytes  bigint           NOT NULL
);

-- Second factors: what a node needs besides the key file to check a party's codes. The secret of the authenticator app is
-- derived from the key file, the party and `salt`: no secret is stored. Which factor is in force stands in the log; a row
-- that is in no event is an enrolment under way.
CREATE TABLE journal.second_factors (
    tenant     text COLLATE "C" NOT NULL,
    factor     uuid             NOT NULL,
    party      uuid             NOT NULL,
    salt       bytea            NOT NULL CHECK (octet_length(salt) = 32),
    -- The time step of the last code used; no code of it or of an earlier one is accepted again. 0 before the first.
    last_step  bigint           NOT NULL CHECK (last_step >= 0),
    -- Keyed hashes of the recovery codes left, 32 bytes each.
    recovery   bytea            NOT NULL CHECK (octet_length(recovery) % 32 = 0),
    created_at timestamptz      NOT NULL,
    mac        bytea,
    PRIMARY KEY (tenant, factor)
);
CREATE INDEX second_factors_of_a_party ON journal.second_factors (tenant, party);

-- Passkeys (docs/decisions/passkeys.md). Which ones are in force stands in the log; a row that is in no event logs nobody in.
CREATE TABLE journal.passkeys (
    tenant          text COLLATE "C" NOT NULL,
    factor          uuid             NOT NULL,
    party           uuid             NOT NULL,
    -- The authenticator's id of the credential, and its public key as COSE.
    credential      bytea            NOT NULL CHECK (octet_length(credential) BETWEEN 1 AND 1023),
    public_key      bytea            NOT NULL CHECK (octet_length(public_key) <= 2048),
    -- Counter of the last signature, 0 from authenticators without one.
    sign_count      bigint           NOT NULL CHECK (sign_count >= 0),
    -- When the challenge of the last signature was made: none of that time or an earlier one is accepted again.
    last_challenge  timestamptz      NOT NULL,
    -- Its owner's name for it, encrypted.
    name            bytea            NOT NULL,
    created_at      timestamptz      NOT NULL,
    used_at         timestamptz,
    mac             bytea,
    PRIMARY KEY (tenant, factor),
    UNIQUE (tenant, credential)
);
CREATE INDEX passkeys_of_a_party ON journal.passkeys (tenant, party);

-- When a session last gave a code of its party's second factor. Calls that need a fresh code are refused a while later.
CREATE TABLE journal.step_ups (
    tenant   text COLLATE "C" NOT NULL,
    session  uuid             NOT NULL,
    factor   uuid             NOT NULL,
    given_at timestamptz      NOT NULL,
    mac      bytea,
    PRIMARY KEY (tenant, session)
);
CREATE INDEX step_ups_to_delete ON journal.step_ups (tenant, given_at);

-- Who read personal data: opened records, files and dossiers. Deleted after a time (docs/decisions/audit-of-reading.md).
CREATE TABLE journal.readings (
    tenant    text COLLATE "C" NOT NULL,
    id        uuid             NOT NULL,
    read_at   timestamptz      NOT NULL,
    -- Who read, and the party as which it was logged in to see: NULL when it read as itself.
    party     uuid             NOT NULL,
    viewed_as uuid,
    session   uuid             NOT NULL,
    -- 'customer', 'remittance', 'user', 'log', 'dossier', 'import', 'file', 'page' or 'viewing'
    kind      text COLLATE "C" NOT NULL,
    -- Record of which data was read; NULL for files of lists.
    subject   uuid,
    -- Path of the call in the contract, and format of a file.
    call      text COLLATE "C" NOT NULL,
    format    text COLLATE "C",
    mac       bytea,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX readings_by_time ON journal.readings (tenant, read_at, id);
CREATE INDEX readings_of_a_record ON journal.readings (tenant, subject, read_at);
CREATE INDEX readings_by_a_party ON journal.readings (tenant, party, read_at);

-- Sessions by which a manager sees what another party sees. Such a session is the party's, and reads only.
CREATE TABLE journal.viewings (
    tenant         text COLLATE "C" NOT NULL,
    session        uuid             NOT NULL,
    viewer         uuid             NOT NULL,
    viewer_session uuid             NOT NULL,
    mac            bytea,
    PRIMARY KEY (tenant, session),
    FOREIGN KEY (tenant, session) REFERENCES journal.sessions (tenant, id) ON DELETE CASCADE
);

-- Client secrets of providers of single sign-on, encrypted under a key of the key file. Which provider and which of its secrets
-- are in force stands in the log: a secret that waits for an approval stands beside the one in force. `provider` is the id of
-- the secret; that of the provider for one that was stored before secrets had ids.
CREATE TABLE journal.sign_on_secrets (
    tenant   text COLLATE "C" NOT NULL,
    provider uuid             NOT NULL,
    sealed   bytea            NOT NULL,
    mac      bytea,
    PRIMARY KEY (tenant, provider)
);

-- Which login of a provider is which party: keyed hash of the provider's name for it. Bound at the first login, by its
-- verified e-mail address.
CREATE TABLE journal.sign_on_subjects (
    tenant   text COLLATE "C" NOT NULL,
    provider uuid             NOT NULL,
    subject  bytea            NOT NULL CHECK (octet_length(subject) = 32),
    party    uuid             NOT NULL,
    bound_at timestamptz      NOT NULL,
    mac      bytea,
    PRIMARY KEY (tenant, provider, subject)
);
CREATE UNIQUE INDEX sign_on_subjects_of_a_party ON journal.sign_on_subjects (tenant, provider, party);

-- Placements: where a tenant lives, of several cells that share a key file (docs/decisions/cells.md). A tenant without a row
-- in any cell lives in the home cell. `epoch` counts its residences: it lives where its highest epoch is. States:
--   here       lives in this cell
--   copying    lives here, and is being copied to the cell `peer`
--   closing    the same; nodes keep new writes waiting
--   held       nothing is written until `until`, when the cell takes writes again by itself
--   left       lives in `peer` since the move `move`; nothing is written here any more
--   arriving   is being copied here from `peer`; only the move `move` writes
-- Only the step from `held` to `left` moves a tenant, in one row of the cell that it leaves.
CREATE TABLE journal.placements (
    tenant text COLLATE "C" PRIMARY KEY,
    state  text COLLATE "C" NOT NULL CHECK (state IN ('here', 'copying', 'closing', 'held', 'left', 'arriving')),
    epoch  bigint           NOT NULL CHECK (epoch >= 0),
    peer   text COLLATE "C" NOT NULL,
    move   uuid             NOT NULL,
    since  timestamptz      NOT NULL DEFAULT clock_timestamp(),
    until  timestamptz,
    -- HMAC of all but the times
    mac    bytea            NOT NULL CHECK (octet_length(mac) = 32),
    CONSTRAINT placements_held_for_a_time CHECK ((state = 'held') = (until IS NOT NULL))
);
CREATE POLICY directory ON journal.placements FOR SELECT USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');
-- Lists that customers are screened against, of the installation (`scope` '*') or of one tenant. `digest` covers the chunks,
-- `mac` the row: a list that was written without the key file is not used. Of the installation: see writer_leases.
CREATE TABLE journal.screening_lists (
    tenant    text COLLATE "C" NOT NULL DEFAULT '*' CHECK (tenant = '*'),
    scope     text COLLATE "C" NOT NULL,
    name      text COLLATE "C" NOT NULL,
    digest    bytea            NOT NULL,
    format    text COLLATE "C" NOT NULL,
    entries   integer          NOT NULL,
    names     integer          NOT NULL,
    published text,
    loaded_at timestamptz      NOT NULL,
    mac       bytea            NOT NULL,
    PRIMARY KEY (tenant, scope, name)
);
-- The entries of a list, some thousands a row.
CREATE TABLE journal.screening_chunks (
    tenant  text COLLATE "C" NOT NULL DEFAULT '*' CHECK (tenant = '*'),
    digest  bytea            NOT NULL,
    number  integer          NOT NULL,
    content text             NOT NULL,
    PRIMARY KEY (tenant, digest, number)
);
-- The screening of all customers of a tenant against the lists named by `lists`, and how far it is: a node holds the row
-- until `held_until`, so that one node at a time screens. `after` is the last customer screened. Without MAC: a changed row
-- screens people again or later; sales are screened without it.
CREATE TABLE journal.screening_runs (
    tenant      text COLLATE "C" NOT NULL,
    lists       bytea            NOT NULL,
    after       uuid,
    screened    integer          NOT NULL,
    total       integer          NOT NULL,
    found       integer          NOT NULL,
    started_at  timestamptz      NOT NULL,
    finished_at timestamptz,
    holder      uuid             NOT NULL,
    held_until  timestamptz      NOT NULL,
    PRIMARY KEY (tenant)
);

-- Row-level security: a transaction sees and writes only rows of its own tenant. `keyring` and `master_keys` belong to
-- the installation and have no tenant.
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN
        SELECT tablename FROM pg_tables WHERE schemaname = 'journal' AND tablename NOT IN ('keyring', 'master_keys')
    LOOP
        EXECUTE format('ALTER TABLE journal.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE journal.%I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format($policy$
            CREATE POLICY own_tenant ON journal.%I
             USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''))$policy$, name);
    END LOOP;
END
$$;

-- Privileges of nodes, which run as caudal_node and own nothing.
GRANT SELECT, INSERT, UPDATE ON journal.heads, journal.subject_keys, journal.quarantines, journal.api_key_uses,
       journal.session_origins, journal.viewings, journal.placements
    TO caudal_node;
GRANT SELECT, INSERT ON journal.events, journal.keyring, journal.master_keys TO caudal_node;
GRANT SELECT, INSERT, DELETE
    ON journal.receipts, journal.answers, journal.claims, journal.files, journal.file_owners, journal.checkpoints,
       journal.merkle_nodes, journal.readings
    TO caudal_node;
GRANT SELECT, INSERT, UPDATE, DELETE
    ON journal.credentials, journal.snapshots, journal.sessions, journal.reset_codes, journal.verifications,
       journal.attempts, journal.writer_leases, journal.uploads, journal.file_totals, journal.webhook_positions,
       journal.webhook_deliveries, journal.second_factors, journal.passkeys, journal.step_ups, journal.sign_on_secrets,
       journal.sign_on_subjects, journal.screening_lists, journal.screening_chunks, journal.screening_runs,
       journal.imports, journal.import_chunks, journal.import_rows, journal.import_profiles, journal.import_proofs
    TO caudal_node;
GRANT UPDATE (mac) ON journal.receipts, journal.answers, journal.claims, journal.files, journal.file_owners,
       journal.readings
    TO caudal_node;
GRANT UPDATE (adoption_began, adoption_ended, adoption_mac, heads_began, heads_ended, heads_mac) ON journal.keyring TO caudal_node;
GRANT UPDATE (cosignatures) ON journal.checkpoints TO caudal_node;
GRANT UPDATE (retired_at) ON journal.master_keys TO caudal_node;

-- Append of nodes of an older version, without MACs, until the adoption has ended. The lock makes the end wait for
-- them.
CREATE FUNCTION journal.append(
    p_tenant            text,
    p_position          bigint,
    p_epoch             bigint,
    p_recorded_at       timestamptz,
    p_hash              bytea,
    p_aggregate_types   text[],
    p_aggregate_ids     text[],
    p_sequences         bigint[],
    p_event_types       text[],
    p_event_versions    text[],
    p_payloads          text[],
    p_metadata          text[],
    p_hashes            bytea[],
    p_receipt_actors    text[],
    p_receipt_keys      text[],
    p_receipt_digests   bytea[],
    p_receipt_answers   text[],
    p_receipt_positions bigint[],
    p_claim_kinds       text[],
    p_claim_owners      uuid[],
    p_claim_digests     bytea[],
    p_key_subjects      uuid[],
    p_key_masters       text[],
    p_key_wrapped       bytea[],
    p_credential_parties uuid[],
    p_credential_hashes  text[]
) RETURNS TABLE (status text, head_position bigint, head_epoch bigint, head_hash bytea, head_recorded_at timestamptz)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);

    PERFORM 1 FROM journal.keyring AS k WHERE k.adoption_ended IS NULL FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'this node writes rows without a MAC, which are no longer taken'
              USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Start the node''s new version.';
    END IF;

    RETURN QUERY
        UPDATE journal.heads AS h
           SET position = p_position + cardinality(p_event_types), hash = p_hash, recorded_at = p_recorded_at, mac = NULL
         WHERE h.tenant = p_tenant AND h.position = p_position AND h.epoch = p_epoch
     RETURNING 'appended', h.position, h.epoch, h.hash, h.recorded_at;
    IF NOT FOUND THEN
        RETURN QUERY
            SELECT 'moved', h.position, h.epoch, h.hash, h.recorded_at
              FROM journal.heads AS h WHERE h.tenant = p_tenant;
        RETURN;
    END IF;

    INSERT INTO journal.events
           (tenant, position, aggregate_type, aggregate_id, sequence, event_type, event_version,
            payload, metadata, recorded_at, hash)
    SELECT p_tenant, p_position + e.n, e.aggregate_type, e.aggregate_id, e.sequence, e.event_type, e.event_version,
           e.payload::json, e.metadata::json, p_recorded_at, e.hash
      FROM unnest(p_aggregate_types, p_aggregate_ids, p_sequences, p_event_types, p_event_versions,
                  p_payloads, p_metadata, p_hashes) WITH ORDINALITY
           AS e (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata, hash, n);

    IF cardinality(p_receipt_keys) > 0 THEN
        INSERT INTO journal.receipts (tenant, actor, key, digest, answer, position, recorded_at)
        SELECT p_tenant, r.actor, r.key, r.digest, r.answer::json, r.position, p_recorded_at
          FROM unnest(p_receipt_actors, p_receipt_keys, p_receipt_digests, p_receipt_answers, p_receipt_positions)
               AS r (actor, key, digest, answer, position);
    END IF;

    IF cardinality(p_claim_kinds) > 0 THEN
        DELETE FROM journal.claims AS c
         USING unnest(p_claim_kinds, p_claim_owners) AS g (kind, owner)
         WHERE c.tenant = p_tenant AND c.kind = g.kind AND c.owner = g.owner;
        INSERT INTO journal.claims (tenant, kind, digest, owner)
        SELECT p_tenant, g.kind, g.digest, g.owner
          FROM unnest(p_claim_kinds, p_claim_owners, p_claim_digests) AS g (kind, owner, digest)
         WHERE g.digest IS NOT NULL;
    END IF;

    IF cardinality(p_key_subjects) > 0 THEN
        INSERT INTO journal.subject_keys (tenant, subject, master, wrapped)
        SELECT p_tenant, k.subject, k.master, k.wrapped
          FROM unnest(p_key_subjects, p_key_masters, p_key_wrapped) AS k (subject, master, wrapped);
    END IF;

    IF cardinality(p_credential_parties) > 0 THEN
        INSERT INTO journal.credentials (tenant, party, hash, set_at)
        SELECT p_tenant, c.party, c.hash, p_recorded_at
          FROM unnest(p_credential_parties, p_credential_hashes) AS c (party, hash)
        ON CONFLICT (tenant, party) DO UPDATE SET hash = EXCLUDED.hash, set_at = EXCLUDED.set_at;
    END IF;
END
$$;
REVOKE ALL ON FUNCTION journal.append FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.append TO caudal_node;

-- Load of a batch's facts, key by key, whatever the planner's statistics. For a tenant that is new or has grown since
-- the last ANALYZE, the planner expects one row, takes any index that begins with the tenant, and reads the whole log
-- to find ten streams: some 600 ms at 40,000 events, for every batch.
--
-- The keys drive the loop, each looks up one stream in the order that only the streams' own index has, and the plan is
-- cached for all tenants.
CREATE FUNCTION journal.load(
    p_tenant        text,
    p_actors        text[],
    p_keys          text[],
    p_stream_types  text[],
    p_stream_ids    text[],
    p_claim_kinds   text[],
    p_claim_digests bytea[],
    p_subjects      uuid[]
) RETURNS TABLE (
    fact    text,    -- 'receipt'  | 'event'         | 'claim' | 'key'
    name    text,    -- actor      | aggregate_type  | kind    | master
    detail  text,    -- key        | aggregate_id    | –       | –
    id      uuid,    -- –          | –               | owner   | subject
    number  bigint,  -- position   | sequence        | –       | –
    place   bigint,  -- –          | position        | –       | –
    bytes   bytea,   -- digest     | –               | digest  | wrapped, NULL when forgotten
    label   text,    -- –          | event_type      | –       | –
    version text,    -- –          | event_version   | –       | –
    body    text     -- answer     | payload         | –       | –
)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);

    IF cardinality(p_keys) > 0 THEN
        RETURN QUERY
            SELECT 'receipt', r.actor, r.key, NULL::uuid, r.position, NULL::bigint, r.digest, NULL, NULL, r.answer::text
              FROM unnest(p_actors, p_keys) AS w (actor, key)
             CROSS JOIN LATERAL (SELECT x.* FROM journal.receipts AS x
                                  WHERE x.tenant = p_tenant AND x.actor = w.actor AND x.key = w.key OFFSET 0) AS r;
    END IF;

    IF cardinality(p_stream_ids) > 0 THEN
        RETURN QUERY
            SELECT 'event', e.aggregate_type, e.aggregate_id, NULL::uuid, e.sequence, e.position, NULL::bytea,
                   e.event_type, e.event_version, e.payload::text
              FROM unnest(p_stream_types, p_stream_ids) AS w (aggregate_type, aggregate_id)
             CROSS JOIN LATERAL (SELECT x.* FROM journal.events AS x
                                  WHERE x.tenant = p_tenant AND x.aggregate_type = w.aggregate_type
                                    AND x.aggregate_id = w.aggregate_id
                                  ORDER BY x.sequence OFFSET 0) AS e;
    END IF;

    IF cardinality(p_claim_kinds) > 0 THEN
        RETURN QUERY
            SELECT 'claim', c.kind, NULL, c.owner, NULL::bigint, NULL::bigint, c.digest, NULL, NULL, NULL
              FROM unnest(p_claim_kinds, p_claim_digests) AS w (kind, digest)
             CROSS JOIN LATERAL (SELECT x.* FROM journal.claims AS x
                                  WHERE x.tenant = p_tenant AND x.kind = w.kind AND x.digest = w.digest OFFSET 0) AS c;
    END IF;

    IF cardinality(p_subjects) > 0 THEN
        RETURN QUERY
            SELECT 'key', k.master, NULL, k.subject, NULL::bigint, NULL::bigint, k.wrapped, NULL, NULL, NULL
              FROM unnest(p_subjects) AS w (subject)
             CROSS JOIN LATERAL (SELECT x.* FROM journal.subject_keys AS x
                                  WHERE x.tenant = p_tenant AND x.subject = w.subject OFFSET 0) AS k;
    END IF;
END
$$;
REVOKE ALL ON FUNCTION journal.load FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.load TO caudal_node;

-- A tenant's head with its MAC, or no row. Sets the tenant for the policies: in autocommit one round trip. Refuses a tenant of
-- another cell: a refusal is confirmed by the head.
CREATE FUNCTION journal.signed_head(p_tenant text)
RETURNS TABLE (head_position bigint, head_epoch bigint, head_hash bytea, head_recorded_at timestamptz,
               head_mac bytea)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);
    IF EXISTS (SELECT FROM journal.placements AS p WHERE p.tenant = p_tenant AND p.state IN ('left', 'arriving')) THEN
        RAISE EXCEPTION 'the tenant % lives in another cell', p_tenant USING ERRCODE = 'CA001';
    END IF;
    RETURN QUERY
        SELECT h.position, h.epoch, h.hash, h.recorded_at, h.mac FROM journal.heads AS h WHERE h.tenant = p_tenant;
END
$$;
REVOKE ALL ON FUNCTION journal.signed_head FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.signed_head TO caudal_node;

-- The head for nodes of an earlier version, without its MAC.
CREATE FUNCTION journal.head(p_tenant text)
RETURNS TABLE (head_position bigint, head_epoch bigint, head_hash bytea, head_recorded_at timestamptz)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);
    IF EXISTS (SELECT FROM journal.placements AS p WHERE p.tenant = p_tenant AND p.state IN ('left', 'arriving')) THEN
        RAISE EXCEPTION 'the tenant % lives in another cell', p_tenant USING ERRCODE = 'CA001';
    END IF;
    RETURN QUERY
        SELECT h.position, h.epoch, h.hash, h.recorded_at FROM journal.heads AS h WHERE h.tenant = p_tenant;
END
$$;
REVOKE ALL ON FUNCTION journal.head FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.head TO caudal_node;

-- Waits for every append begun on the current epoch, and refuses those that arrive later.
CREATE FUNCTION journal.fence(p_tenant text)
RETURNS TABLE (head_position bigint, head_epoch bigint, head_hash bytea, head_recorded_at timestamptz)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);
    RETURN QUERY
        UPDATE journal.heads AS h SET epoch = h.epoch + 1 WHERE h.tenant = p_tenant
     RETURNING h.position, h.epoch, h.hash, h.recorded_at;
END
$$;
REVOKE ALL ON FUNCTION journal.fence FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.fence TO caudal_node;

-- A fence past the epoch of the append whose answer was lost. After a failover that lost an earlier fence, the epoch is
-- lower than one that was there before, and the next number could be that append's own.
CREATE FUNCTION journal.fence_past(p_tenant text, p_epoch bigint)
RETURNS TABLE (head_position bigint, head_epoch bigint, head_hash bytea, head_recorded_at timestamptz)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);
    RETURN QUERY
        UPDATE journal.heads AS h SET epoch = greatest(h.epoch, p_epoch) + 1 WHERE h.tenant = p_tenant
     RETURNING h.position, h.epoch, h.hash, h.recorded_at;
END
$$;
REVOKE ALL ON FUNCTION journal.fence_past FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.fence_past TO caudal_node;

-- An append that erases people: their keys become tombstones and their credentials are deleted, atomically with the
-- events. Beside `journal.append`, which other appends keep calling.
CREATE FUNCTION journal.append_forgetting(
    p_tenant            text,
    p_position          bigint,
    p_epoch             bigint,
    p_recorded_at       timestamptz,
    p_hash              bytea,
    p_aggregate_types   text[],
    p_aggregate_ids     text[],
    p_sequences         bigint[],
    p_event_types       text[],
    p_event_versions    text[],
    p_payloads          text[],
    p_metadata          text[],
    p_hashes            bytea[],
    p_receipt_actors    text[],
    p_receipt_keys      text[],
    p_receipt_digests   bytea[],
    p_receipt_answers   text[],
    p_receipt_positions bigint[],
    p_claim_kinds       text[],
    p_claim_owners      uuid[],
    p_claim_digests     bytea[],
    p_key_subjects      uuid[],
    p_key_masters       text[],
    p_key_wrapped       bytea[],
    p_credential_parties uuid[],
    p_credential_hashes  text[],
    p_forgotten         uuid[]
) RETURNS TABLE (status text, head_position bigint, head_epoch bigint, head_hash bytea, head_recorded_at timestamptz)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    SELECT a.* INTO status, head_position, head_epoch, head_hash, head_recorded_at
      FROM journal.append(
               p_tenant, p_position, p_epoch, p_recorded_at, p_hash, p_aggregate_types, p_aggregate_ids, p_sequences,
               p_event_types, p_event_versions, p_payloads, p_metadata, p_hashes, p_receipt_actors, p_receipt_keys,
               p_receipt_digests, p_receipt_answers, p_receipt_positions, p_claim_kinds, p_claim_owners,
               p_claim_digests, p_key_subjects, p_key_masters, p_key_wrapped, p_credential_parties,
               p_credential_hashes) AS a;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF status = 'appended' THEN
        INSERT INTO journal.subject_keys AS k (tenant, subject, master, wrapped, forgotten_at)
        SELECT p_tenant, f.subject, NULL, NULL, p_recorded_at FROM unnest(p_forgotten) AS f (subject)
        ON CONFLICT (tenant, subject)
        DO UPDATE SET master = NULL, wrapped = NULL, forgotten_at = EXCLUDED.forgotten_at
         WHERE k.forgotten_at IS NULL;
        -- Sessions first, as all who change both do: the other way round two of them could wait for each other.
        DELETE FROM journal.sessions    AS s WHERE s.tenant = p_tenant AND s.party = ANY (p_forgotten);
        DELETE FROM journal.credentials AS c WHERE c.tenant = p_tenant AND c.party = ANY (p_forgotten);
        DELETE FROM journal.reset_codes AS r WHERE r.tenant = p_tenant AND r.party = ANY (p_forgotten);
    END IF;
    RETURN NEXT;
END
$$;

-- Heads of many tenants in one round trip: each head with its MAC, the hash of the event at its position, and the hash at a
-- position given by the caller; NULL for a missing event.
CREATE FUNCTION journal.look_signed(p_tenants text[], p_positions bigint[])
RETURNS TABLE (tenant text, head_position bigint, head_hash bytea, head_recorded_at timestamptz,
               end_hash bytea, end_recorded_at timestamptz, known_hash bytea, head_mac bytea)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    place integer;
BEGIN
    FOR place IN 1 .. cardinality(p_tenants) LOOP
        PERFORM set_config('caudal.tenant', p_tenants[place], true);
        RETURN QUERY
            SELECT h.tenant, h.position, h.hash, h.recorded_at, e.hash, e.recorded_at, k.hash, h.mac
              FROM journal.heads AS h
              LEFT JOIN journal.events AS e ON e.tenant = h.tenant AND e.position = h.position
              LEFT JOIN journal.events AS k ON k.tenant = h.tenant AND k.position = p_positions[place]
             WHERE h.tenant = p_tenants[place];
    END LOOP;
    PERFORM set_config('caudal.tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION journal.look_signed FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.look_signed TO caudal_node;

-- The same for nodes of an earlier version, without MACs.
CREATE FUNCTION journal.look(p_tenants text[], p_positions bigint[])
RETURNS TABLE (tenant text, head_position bigint, head_hash bytea, head_recorded_at timestamptz,
               end_hash bytea, end_recorded_at timestamptz, known_hash bytea)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    place integer;
BEGIN
    FOR place IN 1 .. cardinality(p_tenants) LOOP
        PERFORM set_config('caudal.tenant', p_tenants[place], true);
        RETURN QUERY
            SELECT h.tenant, h.position, h.hash, h.recorded_at, e.hash, e.recorded_at, k.hash
              FROM journal.heads AS h
              LEFT JOIN journal.events AS e ON e.tenant = h.tenant AND e.position = h.position
              LEFT JOIN journal.events AS k ON k.tenant = h.tenant AND k.position = p_positions[place]
             WHERE h.tenant = p_tenants[place];
    END LOOP;
    PERFORM set_config('caudal.tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION journal.look FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.look TO caudal_node;

-- A time in microseconds since 1970, as covered by MACs; NULL for 'infinity', and for years whose microseconds are no bigint.
CREATE FUNCTION journal.micros(moment timestamptz) RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN isfinite(moment) AND moment < timestamptz '200000-01-01 00:00:00+00'
                THEN (extract(epoch FROM moment) * 1000000)::bigint END
$$;
REVOKE ALL ON FUNCTION journal.micros FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.micros TO caudal_node;

-- A node of an older version changes rows without updating the MAC. Such a row counts as one without a MAC.
CREATE FUNCTION journal.drop_stale_mac() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF NEW IS DISTINCT FROM OLD THEN
        NEW.mac := NULL;
    END IF;
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION journal.drop_stale_mac FROM PUBLIC;

-- Arguments of an append, one type per table, each with an array per column: rows as composite values cost a tenth of an
-- append of 32 sales more. Separate from the tables' row types, so that a column added to a table does not affect
-- running nodes. A later field is a new type and a new function beside these.
CREATE TYPE journal.event_columns AS (
    aggregate_type text[],
    aggregate_id   text[],
    sequence       bigint[],
    event_type     text[],
    event_version  text[],
    payload        text[],
    metadata       text[],
    hash           bytea[]
);
CREATE TYPE journal.receipt_columns AS (actor text[], key text[], digest bytea[], answer text[], "position" bigint[], mac bytea[]);
CREATE TYPE journal.claim_columns AS (kind text[], owner uuid[], digest bytea[], mac bytea[]);
CREATE TYPE journal.key_columns AS (subject uuid[], master text[], wrapped bytea[], mac bytea[]);
CREATE TYPE journal.credential_columns AS (party uuid[], hash text[], mac bytea[]);
CREATE TYPE journal.erased_columns AS (subject uuid[], mac bytea[]);

-- Appends a batch in one autocommitted call: events and all rows beside them, atomically. The head advances only if its
-- position, epoch, hash and time equal those of the batch's base. Returns 'appended', 'moved' where the head is another
-- one, or NULL for a missing tenant; raises only for internal errors. VOLATILE, so that statements after the head's lock
-- see everything committed before.
CREATE FUNCTION journal.append_signed(
    p_tenant           text,
    p_base_position    bigint,
    p_base_epoch       bigint,
    p_base_hash        bytea,
    p_base_recorded_at timestamptz,
    p_recorded_at      timestamptz,
    p_hash             bytea,
    p_mac              bytea,
    p_events           journal.event_columns,
    p_receipts         journal.receipt_columns,
    p_claims           journal.claim_columns,
    p_keys             journal.key_columns,
    p_credentials      journal.credential_columns,
    p_erased           journal.erased_columns
) RETURNS text
LANGUAGE plpgsql VOLATILE
-- Otherwise every append of one sale would plan its insertions anew, a sixth of its time: arrays of known length look cheaper.
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    v_done text;
BEGIN
    -- An assignment is evaluated at once; PERFORM would run a query.
    v_done := set_config('caudal.tenant', p_tenant, true);

    UPDATE journal.heads AS h
       SET position = p_base_position + coalesce(cardinality(p_events.hash), 0), hash = p_hash, recorded_at = p_recorded_at,
           mac = p_mac
     WHERE h.tenant = p_tenant AND h.position = p_base_position AND h.epoch = p_base_epoch
       AND h.hash = p_base_hash AND h.recorded_at = p_base_recorded_at;
    IF NOT FOUND THEN
        RETURN (SELECT 'moved' FROM journal.heads AS h WHERE h.tenant = p_tenant);
    END IF;

    -- Columns are unnested in the list of results, row by row: in FROM each would be stored first.
    IF cardinality(p_events.hash) > 0 THEN
        INSERT INTO journal.events
               (tenant, position, aggregate_type, aggregate_id, sequence, event_type, event_version,
                payload, metadata, recorded_at, hash)
        SELECT p_tenant, e.position, e.aggregate_type, e.aggregate_id, e.sequence, e.event_type, e.event_version,
               e.payload::json, e.metadata::json, p_recorded_at, e.hash
          FROM (SELECT generate_series(p_base_position + 1, p_base_position + cardinality(p_events.hash)) AS position,
                       unnest(p_events.aggregate_type) AS aggregate_type, unnest(p_events.aggregate_id) AS aggregate_id,
                       unnest(p_events.sequence) AS sequence, unnest(p_events.event_type) AS event_type,
                       unnest(p_events.event_version) AS event_version, unnest(p_events.payload) AS payload,
                       unnest(p_events.metadata) AS metadata, unnest(p_events.hash) AS hash) AS e;
    END IF;

    IF cardinality(p_receipts.key) > 0 THEN
        INSERT INTO journal.receipts (tenant, actor, key, digest, answer, position, recorded_at, mac)
        SELECT p_tenant, r.actor, r.key, r.digest, r.answer::json, r.position, p_recorded_at, r.mac
          FROM (SELECT unnest(p_receipts.actor) AS actor, unnest(p_receipts.key) AS key,
                       unnest(p_receipts.digest) AS digest, unnest(p_receipts.answer) AS answer,
                       unnest(p_receipts.position) AS position, unnest(p_receipts.mac) AS mac) AS r;
    END IF;

    IF cardinality(p_claims.owner) > 0 THEN
        DELETE FROM journal.claims AS c
         USING unnest(p_claims.kind, p_claims.owner) AS g (kind, owner)
         WHERE c.tenant = p_tenant AND c.kind = g.kind AND c.owner = g.owner;
        INSERT INTO journal.claims (tenant, kind, digest, owner, mac)
        SELECT p_tenant, g.kind, g.digest, g.owner, g.mac
          FROM unnest(p_claims.kind, p_claims.owner, p_claims.digest, p_claims.mac) AS g (kind, owner, digest, mac)
         WHERE g.digest IS NOT NULL;
    END IF;

    IF cardinality(p_keys.subject) > 0 THEN
        INSERT INTO journal.subject_keys (tenant, subject, master, wrapped, mac)
        SELECT p_tenant, k.subject, k.master, k.wrapped, k.mac
          FROM unnest(p_keys.subject, p_keys.master, p_keys.wrapped, p_keys.mac) AS k (subject, master, wrapped, mac);
    END IF;

    IF cardinality(p_credentials.party) > 0 THEN
        INSERT INTO journal.credentials (tenant, party, hash, set_at, mac)
        SELECT p_tenant, c.party, c.hash, p_recorded_at, c.mac
          FROM unnest(p_credentials.party, p_credentials.hash, p_credentials.mac) AS c (party, hash, mac)
        ON CONFLICT (tenant, party) DO UPDATE SET hash = EXCLUDED.hash, set_at = EXCLUDED.set_at, mac = EXCLUDED.mac;
    END IF;

    -- Whom the events forget: the keys become tombstones, and what these people signed in with is deleted.
    IF cardinality(p_erased.subject) > 0 THEN
        INSERT INTO journal.subject_keys AS k (tenant, subject, master, wrapped, forgotten_at, mac)
        SELECT p_tenant, f.subject, NULL, NULL, p_recorded_at, f.mac
          FROM unnest(p_erased.subject, p_erased.mac) AS f (subject, mac)
        ON CONFLICT (tenant, subject)
        DO UPDATE SET master = NULL, wrapped = NULL, forgotten_at = EXCLUDED.forgotten_at, mac = EXCLUDED.mac
         WHERE k.forgotten_at IS NULL;
        -- Sessions first, as all who change both do: the other way round two of them could wait for each other.
        DELETE FROM journal.sessions    AS s WHERE s.tenant = p_tenant AND s.party = ANY (p_erased.subject);
        DELETE FROM journal.credentials AS c WHERE c.tenant = p_tenant AND c.party = ANY (p_erased.subject);
        DELETE FROM journal.reset_codes AS r WHERE r.tenant = p_tenant AND r.party = ANY (p_erased.subject);
    END IF;

    RETURN 'appended';
END
$$;
REVOKE ALL ON FUNCTION journal.append_signed FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.append_signed TO caudal_node;

-- Admits an append of a node that gives heads no MAC, until the adoption of heads has ended. The lock makes the end wait for it.
CREATE FUNCTION journal.admit_unsigned() RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM 1 FROM journal.keyring AS k WHERE k.heads_ended IS NULL FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'this node writes heads without a MAC, which are no longer taken'
              USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Start the node''s new version.';
    END IF;
END
$$;
REVOKE ALL ON FUNCTION journal.admit_unsigned FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.admit_unsigned TO caudal_node;

-- Append of the previous version, without the head's MAC: nodes of that version keep calling it.
CREATE FUNCTION journal.append_columns(
    p_tenant           text,
    p_base_position    bigint,
    p_base_epoch       bigint,
    p_base_hash        bytea,
    p_base_recorded_at timestamptz,
    p_recorded_at      timestamptz,
    p_hash             bytea,
    p_events           journal.event_columns,
    p_receipts         journal.receipt_columns,
    p_claims           journal.claim_columns,
    p_keys             journal.key_columns,
    p_credentials      journal.credential_columns,
    p_erased           journal.erased_columns
) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM journal.admit_unsigned();
    RETURN journal.append_signed(
               p_tenant, p_base_position, p_base_epoch, p_base_hash, p_base_recorded_at, p_recorded_at, p_hash, NULL, p_events,
               p_receipts, p_claims, p_keys, p_credentials, p_erased);
END
$$;
REVOKE ALL ON FUNCTION journal.append_columns FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.append_columns TO caudal_node;

-- Append of an earlier version, with an array of rows per table, and its arguments: nodes of that version keep calling it.
CREATE TYPE journal.new_event AS (
    aggregate_type text,
    aggregate_id   text,
    sequence       bigint,
    event_type     text,
    event_version  text,
    payload        text,
    metadata       text,
    hash           bytea
);
CREATE TYPE journal.new_receipt AS (actor text, key text, digest bytea, answer text, "position" bigint, mac bytea);
-- A change of a unique value; `digest` NULL releases the owner's value.
CREATE TYPE journal.claim_change AS (kind text, owner uuid, digest bytea, mac bytea);
CREATE TYPE journal.new_key AS (subject uuid, master text, wrapped bytea, mac bytea);
CREATE TYPE journal.new_credential AS (party uuid, hash text, mac bytea);
-- A person whose data key is destroyed, with the MAC of the tombstone.
CREATE TYPE journal.erased_key AS (subject uuid, mac bytea);

CREATE FUNCTION journal.append_rows(
    p_tenant           text,
    p_base_position    bigint,
    p_base_epoch       bigint,
    p_base_hash        bytea,
    p_base_recorded_at timestamptz,
    p_recorded_at      timestamptz,
    p_hash             bytea,
    p_events           journal.new_event[],
    p_receipts         journal.new_receipt[],
    p_claims           journal.claim_change[],
    p_keys             journal.new_key[],
    p_credentials      journal.new_credential[],
    p_erased           journal.erased_key[]
) RETURNS TABLE (status text, head_position bigint, head_epoch bigint, head_hash bytea, head_recorded_at timestamptz)
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
    v_status text;
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);
    PERFORM journal.admit_unsigned();
    v_status := journal.append_signed(
        p_tenant, p_base_position, p_base_epoch, p_base_hash, p_base_recorded_at, p_recorded_at, p_hash, NULL,
        ROW(ARRAY(SELECT e.aggregate_type FROM unnest(p_events) AS e),
            ARRAY(SELECT e.aggregate_id FROM unnest(p_events) AS e),
            ARRAY(SELECT e.sequence FROM unnest(p_events) AS e),
            ARRAY(SELECT e.event_type FROM unnest(p_events) AS e),
            ARRAY(SELECT e.event_version FROM unnest(p_events) AS e),
            ARRAY(SELECT e.payload FROM unnest(p_events) AS e),
            ARRAY(SELECT e.metadata FROM unnest(p_events) AS e),
            ARRAY(SELECT e.hash FROM unnest(p_events) AS e))::journal.event_columns,
        ROW(ARRAY(SELECT r.actor FROM unnest(p_receipts) AS r),
            ARRAY(SELECT r.key FROM unnest(p_receipts) AS r),
            ARRAY(SELECT r.digest FROM unnest(p_receipts) AS r),
            ARRAY(SELECT r.answer FROM unnest(p_receipts) AS r),
            ARRAY(SELECT r.position FROM unnest(p_receipts) AS r),
            ARRAY(SELECT r.mac FROM unnest(p_receipts) AS r))::journal.receipt_columns,
        ROW(ARRAY(SELECT g.kind FROM unnest(p_claims) AS g),
            ARRAY(SELECT g.owner FROM unnest(p_claims) AS g),
            ARRAY(SELECT g.digest FROM unnest(p_claims) AS g),
            ARRAY(SELECT g.mac FROM unnest(p_claims) AS g))::journal.claim_columns,
        ROW(ARRAY(SELECT k.subject FROM unnest(p_keys) AS k),
            ARRAY(SELECT k.master FROM unnest(p_keys) AS k),
            ARRAY(SELECT k.wrapped FROM unnest(p_keys) AS k),
            ARRAY(SELECT k.mac FROM unnest(p_keys) AS k))::journal.key_columns,
        ROW(ARRAY(SELECT c.party FROM unnest(p_credentials) AS c),
            ARRAY(SELECT c.hash FROM unnest(p_credentials) AS c),
            ARRAY(SELECT c.mac FROM unnest(p_credentials) AS c))::journal.credential_columns,
        ROW(ARRAY(SELECT f.subject FROM unnest(p_erased) AS f),
            ARRAY(SELECT f.mac FROM unnest(p_erased) AS f))::journal.erased_columns);
    RETURN QUERY
        SELECT v_status, h.position, h.epoch, h.hash, h.recorded_at FROM journal.heads AS h WHERE h.tenant = p_tenant;
END
$$;
REVOKE ALL ON FUNCTION journal.append_rows FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.append_rows TO caudal_node;

-- Append of an earlier version, with one array per column: nodes of that version keep calling it.
CREATE FUNCTION journal.append_batch(
    p_tenant             text,
    p_base_position      bigint,
    p_base_epoch         bigint,
    p_base_hash          bytea,
    p_base_recorded_at   timestamptz,
    p_recorded_at        timestamptz,
    p_hash               bytea,
    p_aggregate_types    text[],
    p_aggregate_ids      text[],
    p_sequences          bigint[],
    p_event_types        text[],
    p_event_versions     text[],
    p_payloads           text[],
    p_metadata           text[],
    p_hashes             bytea[],
    p_receipt_actors     text[],
    p_receipt_keys       text[],
    p_receipt_digests    bytea[],
    p_receipt_answers    text[],
    p_receipt_positions  bigint[],
    p_receipt_macs       bytea[],
    p_claim_kinds        text[],
    p_claim_owners       uuid[],
    p_claim_digests      bytea[],
    p_claim_macs         bytea[],
    p_key_subjects       uuid[],
    p_key_masters        text[],
    p_key_wrapped        bytea[],
    p_key_macs           bytea[],
    p_credential_parties uuid[],
    p_credential_hashes  text[],
    p_credential_macs    bytea[],
    p_forgotten          uuid[],
    p_forgotten_macs     bytea[]
) RETURNS TABLE (status text, head_position bigint, head_epoch bigint, head_hash bytea, head_recorded_at timestamptz)
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
    v_status text;
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);
    PERFORM journal.admit_unsigned();
    v_status := journal.append_signed(
        p_tenant, p_base_position, p_base_epoch, p_base_hash, p_base_recorded_at, p_recorded_at, p_hash, NULL,
        ROW(p_aggregate_types, p_aggregate_ids, p_sequences, p_event_types, p_event_versions, p_payloads, p_metadata,
            p_hashes)::journal.event_columns,
        ROW(p_receipt_actors, p_receipt_keys, p_receipt_digests, p_receipt_answers, p_receipt_positions,
            p_receipt_macs)::journal.receipt_columns,
        ROW(p_claim_kinds, p_claim_owners, p_claim_digests, p_claim_macs)::journal.claim_columns,
        ROW(p_key_subjects, p_key_masters, p_key_wrapped, p_key_macs)::journal.key_columns,
        ROW(p_credential_parties, p_credential_hashes, p_credential_macs)::journal.credential_columns,
        ROW(p_forgotten, p_forgotten_macs)::journal.erased_columns);
    RETURN QUERY
        SELECT v_status, h.position, h.epoch, h.hash, h.recorded_at FROM journal.heads AS h WHERE h.tenant = p_tenant;
END
$$;
REVOKE ALL ON FUNCTION journal.append_batch FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.append_batch TO caudal_node;

-- Facts for deciding a batch, in one call: one row per fact, discriminated by `fact`, with its authentication: an event
-- has its predecessor's hash, a row beside the log its MAC. Replaces `journal.load`, which older nodes keep calling,
-- with the same lookup by key.
CREATE FUNCTION journal.load_facts(
    p_tenant        text,
    p_actors        text[],
    p_keys          text[],
    p_stream_types  text[],
    p_stream_ids    text[],
    p_claim_kinds   text[],
    p_claim_digests bytea[],
    p_subjects      uuid[]
) RETURNS TABLE (
    fact    text,    -- 'receipt'  | 'event'         | 'claim' | 'key'
    name    text,    -- actor      | aggregate_type  | kind    | master
    detail  text,    -- key        | aggregate_id    | –       | –
    id      uuid,    -- –          | –               | owner   | subject
    number  bigint,  -- position   | sequence        | –       | –
    place   bigint,  -- –          | position        | –       | –
    bytes   bytea,   -- digest     | –               | digest  | wrapped, NULL when forgotten
    label   text,    -- –          | event_type      | –       | –
    version text,    -- –          | event_version   | –       | –
    body    text,    -- answer     | payload         | –       | –
    micros  bigint,  -- recorded_at | recorded_at   | –       | forgotten_at
    proof   bytea,   -- mac        | hash            | mac     | mac
    before  bytea,   -- –          | hash before     | –       | –
    context text     -- –          | metadata        | –       | –
)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);

    IF cardinality(p_keys) > 0 THEN
        RETURN QUERY
            SELECT 'receipt', r.actor, r.key, NULL::uuid, r.position, NULL::bigint, r.digest, NULL, NULL, r.answer::text,
                   journal.micros(r.recorded_at), r.mac, NULL::bytea, NULL
              FROM unnest(p_actors, p_keys) AS w (actor, key)
             CROSS JOIN LATERAL (SELECT x.* FROM journal.receipts AS x
                                  WHERE x.tenant = p_tenant AND x.actor = w.actor AND x.key = w.key OFFSET 0) AS r;
    END IF;

    IF cardinality(p_stream_ids) > 0 THEN
        RETURN QUERY
            SELECT 'event', e.aggregate_type, e.aggregate_id, NULL::uuid, e.sequence, e.position, NULL::bytea,
                   e.event_type, e.event_version, e.payload::text,
                   journal.micros(e.recorded_at), e.hash,
                   (SELECT p.hash FROM journal.events AS p WHERE p.tenant = p_tenant AND p.position = e.position - 1),
                   e.metadata::text
              FROM unnest(p_stream_types, p_stream_ids) AS w (aggregate_type, aggregate_id)
             CROSS JOIN LATERAL (SELECT x.* FROM journal.events AS x
                                  WHERE x.tenant = p_tenant AND x.aggregate_type = w.aggregate_type
                                    AND x.aggregate_id = w.aggregate_id
                                  ORDER BY x.sequence OFFSET 0) AS e;
    END IF;

    IF cardinality(p_claim_kinds) > 0 THEN
        RETURN QUERY
            SELECT 'claim', c.kind, NULL, c.owner, NULL::bigint, NULL::bigint, c.digest, NULL, NULL, NULL,
                   NULL::bigint, c.mac, NULL::bytea, NULL
              FROM unnest(p_claim_kinds, p_claim_digests) AS w (kind, digest)
             CROSS JOIN LATERAL (SELECT x.* FROM journal.claims AS x
                                  WHERE x.tenant = p_tenant AND x.kind = w.kind AND x.digest = w.digest OFFSET 0) AS c;
    END IF;

    IF cardinality(p_subjects) > 0 THEN
        RETURN QUERY
            SELECT 'key', k.master, NULL, k.subject, NULL::bigint, NULL::bigint, k.wrapped, NULL, NULL, NULL,
                   journal.micros(k.forgotten_at), k.mac, NULL::bytea, NULL
              FROM unnest(p_subjects) AS w (subject)
             CROSS JOIN LATERAL (SELECT x.* FROM journal.subject_keys AS x
                                  WHERE x.tenant = p_tenant AND x.subject = w.subject OFFSET 0) AS k;
    END IF;
END
$$;
REVOKE ALL ON FUNCTION journal.load_facts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.load_facts TO caudal_node;

CREATE FUNCTION journal.sum_files() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    changed journal.files := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
    sign    integer       := CASE WHEN TG_OP = 'DELETE' THEN -1 ELSE 1 END;
BEGIN
    INSERT INTO journal.file_totals AS t (tenant, files, bytes)
    VALUES (changed.tenant, sign, sign * changed.size)
    ON CONFLICT (tenant) DO UPDATE SET files = t.files + EXCLUDED.files, bytes = t.bytes + EXCLUDED.bytes;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION journal.sum_files FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.sum_files TO caudal_node;

-- Counts an attempt on all subjects, or on none if one has reached its limit: returns the time until which to wait, or
-- NULL. A running attempt counts until `p_lease`, one without a lease until the window ends. Subjects are locked in
-- order, to avoid deadlocks. A server crash may lose the last fractions of a second.
CREATE FUNCTION journal.admit_attempt(
    p_subjects bytea[],
    p_allowed  integer[],
    p_now      timestamptz,
    p_until    timestamptz,
    p_lease    timestamptz DEFAULT NULL
) RETURNS timestamptz
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
    v_wait      timestamptz;
    v_subject   bytea;
    v_allowed   integer;
    v_count     integer;
    v_until     timestamptz;
    v_under_way timestamptz[];
BEGIN
    PERFORM set_config('caudal.tenant', '*', true);
    PERFORM set_config('synchronous_commit', 'off', true);

    -- A caller that has to wait writes nothing, however often it asks.
    SELECT max(CASE WHEN a.count >= w.allowed THEN a.until ELSE u.first_end END) INTO v_wait
      FROM unnest(p_subjects, p_allowed) AS w (subject, allowed)
      JOIN journal.attempts AS a ON a.tenant = '*' AND a.subject = w.subject AND a.until > p_now
     CROSS JOIN LATERAL (SELECT count(*) AS number, min(u.lease) AS first_end
                           FROM unnest(a.under_way) AS u (lease) WHERE u.lease > p_now) AS u
     WHERE a.count + u.number >= w.allowed;
    IF v_wait IS NOT NULL THEN
        RETURN v_wait;
    END IF;

    FOR v_subject, v_allowed IN
        SELECT w.subject, w.allowed FROM unnest(p_subjects, p_allowed) AS w (subject, allowed) ORDER BY w.subject
    LOOP
        INSERT INTO journal.attempts AS a (subject, count, until, under_way)
        VALUES (v_subject, (p_lease IS NULL)::integer, p_until, array_remove(ARRAY[p_lease], NULL))
        ON CONFLICT (tenant, subject) DO UPDATE
           SET count = CASE WHEN a.until <= p_now THEN 0 ELSE a.count END + EXCLUDED.count,
               until = CASE WHEN a.until <= p_now THEN EXCLUDED.until ELSE a.until END,
               under_way = ARRAY(SELECT u.lease FROM unnest(a.under_way) AS u (lease) WHERE u.lease > p_now)
                           || EXCLUDED.under_way
        RETURNING a.count, a.until, a.under_way INTO v_count, v_until, v_under_way;
        IF v_count + cardinality(v_under_way) > v_allowed THEN
            v_wait := greatest(v_wait, CASE WHEN v_count >= v_allowed THEN v_until
                                            ELSE (SELECT min(u.lease) FROM unnest(v_under_way) AS u (lease)) END);
        END IF;
    END LOOP;
    IF v_wait IS NOT NULL THEN
        IF p_lease IS NULL THEN
            UPDATE journal.attempts SET count = count - 1 WHERE tenant = '*' AND subject = ANY (p_subjects);
        ELSE
            PERFORM journal.settle_attempt(p_subjects, '{}', p_lease);
        END IF;
        RETURN v_wait;
    END IF;

    -- More than an attempt adds, so that the table stays as large as one window's attempts.
    DELETE FROM journal.attempts AS a
     USING (SELECT tenant, subject FROM journal.attempts
             WHERE tenant = '*' AND until <= p_now ORDER BY until LIMIT 10 FOR UPDATE SKIP LOCKED) AS old
     WHERE a.tenant = old.tenant AND a.subject = old.subject;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION journal.admit_attempt FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.admit_attempt TO caudal_node;

-- Refunds a running attempt with this lease on some subjects, and deletes the counts of others. Without a lease it is
-- an attempt of an older node, counted when admitted.
CREATE FUNCTION journal.settle_attempt(p_refund bytea[], p_forget bytea[], p_lease timestamptz DEFAULT NULL) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', '*', true);
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM 1 FROM journal.attempts WHERE tenant = '*' AND subject = ANY (p_refund || p_forget)
      ORDER BY subject FOR UPDATE;
    IF p_lease IS NULL THEN
        UPDATE journal.attempts SET count = count - 1 WHERE tenant = '*' AND subject = ANY (p_refund) AND count > 0;
    ELSE
        UPDATE journal.attempts
           SET under_way = under_way[:array_position(under_way, p_lease) - 1]
                           || under_way[array_position(under_way, p_lease) + 1:]
         WHERE tenant = '*' AND subject = ANY (p_refund) AND p_lease = ANY (under_way);
    END IF;
    DELETE FROM journal.attempts WHERE tenant = '*' AND subject = ANY (p_forget);
END
$$;
REVOKE ALL ON FUNCTION journal.settle_attempt FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.settle_attempt TO caudal_node;

-- Fails a running attempt with this lease: it counts on each subject until the window ends.
CREATE FUNCTION journal.fail_attempt(
    p_subjects bytea[],
    p_lease    timestamptz,
    p_now      timestamptz,
    p_until    timestamptz
) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM journal.settle_attempt(p_subjects, '{}', p_lease);
    INSERT INTO journal.attempts AS a (subject, count, until)
    SELECT s.subject, 1, p_until FROM unnest(p_subjects) AS s (subject) ORDER BY s.subject
    ON CONFLICT (tenant, subject) DO UPDATE
       SET count = CASE WHEN a.until <= p_now THEN 1 ELSE a.count + 1 END,
           until = CASE WHEN a.until <= p_now THEN EXCLUDED.until ELSE a.until END;
END
$$;
REVOKE ALL ON FUNCTION journal.fail_attempt FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.fail_attempt TO caudal_node;

-- Takes a tenant's lease for a node unless another node holds it, and returns the holder. A server crash may lose the
-- last moments of leases.
CREATE FUNCTION journal.take_writer_lease(
    p_of_tenant    text,
    p_node         uuid,
    p_address      text,
    p_mac          bytea,
    p_milliseconds bigint
) RETURNS TABLE (of_tenant text, node uuid, address text, mac bytea, milliseconds bigint)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
    v_now   timestamptz := clock_timestamp();
    v_until timestamptz := v_now + p_milliseconds * interval '1 millisecond';
BEGIN
    PERFORM set_config('caudal.tenant', '*', true);
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO journal.writer_leases AS l (of_tenant, node, address, until, mac)
    VALUES (p_of_tenant, p_node, p_address, v_until, p_mac)
    ON CONFLICT (tenant, of_tenant) DO UPDATE
       SET node = EXCLUDED.node, address = EXCLUDED.address, until = EXCLUDED.until, mac = EXCLUDED.mac
     WHERE l.until <= v_now OR l.node = EXCLUDED.node;
    RETURN QUERY
        SELECT l.of_tenant, l.node, l.address, l.mac, (extract(epoch FROM l.until - v_now) * 1000)::bigint
          FROM journal.writer_leases AS l WHERE l.tenant = '*' AND l.of_tenant = p_of_tenant;
END
$$;
REVOKE ALL ON FUNCTION journal.take_writer_lease FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.take_writer_lease TO caudal_node;

-- Renews a node's leases of these tenants, and returns all current leases.
CREATE FUNCTION journal.renew_writer_leases(p_node uuid, p_of_tenants text[], p_milliseconds bigint)
RETURNS TABLE (of_tenant text, node uuid, address text, mac bytea, milliseconds bigint)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
    v_now timestamptz := clock_timestamp();
BEGIN
    PERFORM set_config('caudal.tenant', '*', true);
    PERFORM set_config('synchronous_commit', 'off', true);
    UPDATE journal.writer_leases
       SET until = v_now + p_milliseconds * interval '1 millisecond'
     WHERE tenant = '*' AND of_tenant = ANY (p_of_tenants) AND node = p_node;
    RETURN QUERY
        SELECT l.of_tenant, l.node, l.address, l.mac, (extract(epoch FROM l.until - v_now) * 1000)::bigint
          FROM journal.writer_leases AS l WHERE l.tenant = '*' AND l.until > v_now;
END
$$;
REVOKE ALL ON FUNCTION journal.renew_writer_leases FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.renew_writer_leases TO caudal_node;

-- Returns a node's leases at its shutdown.
CREATE FUNCTION journal.release_writer_leases(p_node uuid) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', '*', true);
    PERFORM set_config('synchronous_commit', 'off', true);
    DELETE FROM journal.writer_leases WHERE tenant = '*' AND node = p_node;
END
$$;
REVOKE ALL ON FUNCTION journal.release_writer_leases FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.release_writer_leases TO caudal_node;

-- Poll of a tenant's live streams, in one round trip: which of their sessions are open, and the position of the read
-- models. A party missing from the read models, as during a rebuild, does not count as inactive.
CREATE FUNCTION journal.follow(p_tenant text, p_sessions uuid[], p_now timestamptz)
RETURNS TABLE (open_sessions uuid[], projected bigint)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);
    RETURN QUERY
        SELECT ARRAY(SELECT s.id
                       FROM unnest(p_sessions) AS w (id)
                       JOIN journal.sessions AS s ON s.tenant = p_tenant AND s.id = w.id
                       JOIN journal.credentials AS c ON c.tenant = p_tenant AND c.party = s.party
                      WHERE s.ended_at IS NULL AND s.expires_at > p_now
                        AND c.set_at <= COALESCE(s.password_of, s.created_at)
                        AND NOT EXISTS (SELECT FROM read.parties AS p
                                         WHERE p.tenant = p_tenant AND p.id = s.party AND NOT p.is_active)),
               COALESCE((SELECT c.position FROM read.checkpoints AS c WHERE c.tenant = p_tenant), 0);
END
$$;
REVOKE ALL ON FUNCTION journal.follow FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.follow TO caudal_node;

-- Refuses statements that write for a tenant that does not live here. The shared lock makes the change of a placement wait
-- for every transaction that has written, and for no other tenant. Appends write the head first: events and the rows
-- written with them need no trigger of their own.
CREATE FUNCTION journal.guard_placement() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    v_tenant text := current_setting('caudal.tenant', true);
    v_state  text;
    v_locked text;
BEGIN
    -- An assignment is evaluated at once; PERFORM would run a query.
    v_locked := pg_advisory_xact_lock_shared(hashtextextended('caudal placement ' || coalesce(v_tenant, ''), 0));
    SELECT p.state INTO v_state FROM journal.placements AS p
     WHERE p.tenant = v_tenant
       AND (p.state = 'left' OR p.state = 'arriving' OR p.state = 'held' AND p.until > clock_timestamp())
       AND p.move::text IS DISTINCT FROM NULLIF(current_setting('caudal.move', true), '');
    IF v_state IS NOT NULL THEN
        RAISE EXCEPTION 'the tenant % is moving or has moved to another cell (%)', v_tenant, v_state USING ERRCODE = 'CA001';
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION journal.guard_placement FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.guard_placement TO caudal_node;

-- Changes a tenant's placement if it is as expected (NULL for none), once all transactions that wrote for it have ended.
-- Returns whether it did. A hold that has run out can't become `left`: writes may have followed it.
CREATE FUNCTION journal.place_tenant(
    p_tenant       text,
    p_from_state   text,
    p_from_move    uuid,
    p_state        text,
    p_epoch        bigint,
    p_peer         text,
    p_move         uuid,
    p_mac          bytea,
    p_milliseconds bigint
) RETURNS boolean
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
    v_until timestamptz;
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);
    PERFORM pg_advisory_xact_lock(hashtextextended('caudal placement ' || p_tenant, 0));
    v_until := clock_timestamp() + p_milliseconds * interval '1 millisecond';
    IF p_from_state IS NULL THEN
        INSERT INTO journal.placements (tenant, state, epoch, peer, move, until, mac)
        VALUES (p_tenant, p_state, p_epoch, p_peer, p_move, v_until, p_mac)
        ON CONFLICT (tenant) DO NOTHING;
    ELSE
        UPDATE journal.placements AS p
           SET state = p_state, epoch = p_epoch, peer = p_peer, move = p_move, since = clock_timestamp(), until = v_until,
               mac = p_mac
         WHERE p.tenant = p_tenant AND p.state = p_from_state AND p.move = p_from_move
           AND (p_state <> 'left' OR p.until > clock_timestamp());
    END IF;
    RETURN FOUND;
END
$$;
REVOKE ALL ON FUNCTION journal.place_tenant FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.place_tenant TO caudal_node;

CREATE TRIGGER drop_stale_mac BEFORE UPDATE ON journal.subject_keys
    FOR EACH ROW WHEN (NOT new.mac IS DISTINCT FROM old.mac)
    EXECUTE FUNCTION journal.drop_stale_mac();
CREATE TRIGGER drop_stale_mac BEFORE UPDATE OF party, hash, set_at ON journal.credentials
    FOR EACH ROW WHEN (NOT new.mac IS DISTINCT FROM old.mac)
    EXECUTE FUNCTION journal.drop_stale_mac();
CREATE TRIGGER drop_stale_mac BEFORE UPDATE ON journal.snapshots
    FOR EACH ROW WHEN (NOT new.mac IS DISTINCT FROM old.mac)
    EXECUTE FUNCTION journal.drop_stale_mac();
CREATE TRIGGER drop_stale_mac BEFORE UPDATE ON journal.sessions
    FOR EACH ROW WHEN (NOT new.mac IS DISTINCT FROM old.mac)
    EXECUTE FUNCTION journal.drop_stale_mac();
CREATE TRIGGER sum_files AFTER INSERT OR DELETE ON journal.files
    FOR EACH ROW EXECUTE FUNCTION journal.sum_files();
CREATE TRIGGER drop_stale_mac BEFORE UPDATE ON journal.reset_codes
    FOR EACH ROW WHEN (NOT new.mac IS DISTINCT FROM old.mac)
    EXECUTE FUNCTION journal.drop_stale_mac();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.heads
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.subject_keys
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.credentials
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.sessions
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.session_origins
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.answers
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.files
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.file_owners
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.reset_codes
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.verifications
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.api_key_uses
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.webhook_positions
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.webhook_deliveries
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.uploads
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.second_factors
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.step_ups
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.passkeys
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.quarantines
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.imports
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.import_chunks
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.import_rows
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.import_profiles
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.import_proofs
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.readings
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.viewings
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.sign_on_secrets
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.sign_on_subjects
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
