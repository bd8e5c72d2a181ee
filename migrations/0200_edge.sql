-- What a node keeps of its callers beside the log: counted attempts, uploads, and what live streams follow.

-- Attempts to log in, to use a code and to get a mail, counted for all nodes together. A subject is a keyed hash of an
-- address, an account, a device or a session, so that the table names nobody. Attempts count across tenants: all rows
-- bear the name '*', which no tenant can have. Rows end with their window and are deleted by the attempts that follow.
CREATE TABLE journal.attempts (
    tenant  text COLLATE "C" NOT NULL DEFAULT '*' CHECK (tenant = '*'),
    subject bytea       NOT NULL CHECK (octet_length(subject) = 32),
    count   integer     NOT NULL CHECK (count >= 0),
    until   timestamptz NOT NULL,
    PRIMARY KEY (tenant, subject)
);
CREATE INDEX attempts_to_delete ON journal.attempts (until);

-- How many files and bytes a party uploaded on a day (UTC); rows older than two days are deleted by the next upload.
CREATE TABLE journal.uploads (
    tenant text COLLATE "C" NOT NULL,
    party  uuid   NOT NULL,
    day    date   NOT NULL,
    files  bigint NOT NULL CHECK (files >= 0),
    bytes  bigint NOT NULL CHECK (bytes >= 0),
    PRIMARY KEY (tenant, party, day)
);

-- The sum of a tenant's files, kept by a trigger: counting them at every upload would read them all.
CREATE TABLE journal.file_totals (
    tenant text COLLATE "C" PRIMARY KEY,
    files  bigint NOT NULL,
    bytes  bigint NOT NULL
);

-- The owner is held to the policies as well, and fills the sums of all tenants.
ALTER TABLE journal.files NO FORCE ROW LEVEL SECURITY;
INSERT INTO journal.file_totals (tenant, files, bytes)
SELECT tenant, count(*), sum(size) FROM journal.files GROUP BY tenant;
ALTER TABLE journal.files FORCE ROW LEVEL SECURITY;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['attempts', 'uploads', 'file_totals']
    LOOP
        EXECUTE format('ALTER TABLE journal.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE journal.%I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY own_tenant ON journal.%I USING (tenant = NULLIF(current_setting(''caudal.tenant'', true), ''''))',
            name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON journal.%I TO caudal_node', name);
    END LOOP;
END
$$;

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

CREATE TRIGGER sum_files AFTER INSERT OR DELETE ON journal.files
    FOR EACH ROW EXECUTE FUNCTION journal.sum_files();

-- Counts an attempt on each subject, or on none where one of them has used up what it is allowed: then the answer is the
-- time until which to wait, and NULL otherwise. Subjects are locked in their order, so that attempts never wait for each
-- other in a circle. Losing the last fractions of a second in a crash of the server is borne.
CREATE FUNCTION journal.admit_attempt(
    p_subjects bytea[],
    p_allowed  integer[],
    p_now      timestamptz,
    p_until    timestamptz
) RETURNS timestamptz
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
    v_wait    timestamptz;
    v_subject bytea;
    v_allowed integer;
    v_count   integer;
    v_until   timestamptz;
BEGIN
    PERFORM set_config('caudal.tenant', '*', true);
    PERFORM set_config('synchronous_commit', 'off', true);

    -- A caller that has to wait writes nothing, however often it asks.
    SELECT max(a.until) INTO v_wait
      FROM unnest(p_subjects, p_allowed) AS w (subject, allowed)
      JOIN journal.attempts AS a ON a.tenant = '*' AND a.subject = w.subject
     WHERE a.until > p_now AND a.count >= w.allowed;
    IF v_wait IS NOT NULL THEN
        RETURN v_wait;
    END IF;

    FOR v_subject, v_allowed IN
        SELECT w.subject, w.allowed FROM unnest(p_subjects, p_allowed) AS w (subject, allowed) ORDER BY w.subject
    LOOP
        INSERT INTO journal.attempts AS a (subject, count, until) VALUES (v_subject, 1, p_until)
        ON CONFLICT (tenant, subject) DO UPDATE
           SET count = CASE WHEN a.until <= p_now THEN 1 ELSE a.count + 1 END,
               until = CASE WHEN a.until <= p_now THEN EXCLUDED.until ELSE a.until END
        RETURNING a.count, a.until INTO v_count, v_until;
        IF v_count > v_allowed THEN
            v_wait := greatest(v_wait, v_until);
        END IF;
    END LOOP;
    IF v_wait IS NOT NULL THEN
        UPDATE journal.attempts SET count = count - 1 WHERE tenant = '*' AND subject = ANY (p_subjects);
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

-- Takes an attempt back from some subjects, and deletes the counts of others.
CREATE FUNCTION journal.settle_attempt(p_refund bytea[], p_forget bytea[]) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', '*', true);
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM 1 FROM journal.attempts WHERE tenant = '*' AND subject = ANY (p_refund || p_forget)
      ORDER BY subject FOR UPDATE;
    UPDATE journal.attempts SET count = count - 1 WHERE tenant = '*' AND subject = ANY (p_refund) AND count > 0;
    DELETE FROM journal.attempts WHERE tenant = '*' AND subject = ANY (p_forget);
END
$$;

-- What the live streams of a tenant wait for, in one round trip: which of their sessions are open, and how far the read
-- models have got. A party that the read models do not have, as while they are rebuilt, is not taken for inactive.
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

REVOKE ALL ON FUNCTION journal.sum_files, journal.admit_attempt, journal.settle_attempt, journal.follow FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.sum_files, journal.admit_attempt, journal.settle_attempt, journal.follow TO caudal_node;
