-- An attempt under way counts until its lease ends. It used to count for the whole window from the moment it was admitted,
-- so that ten log-ins under way on a node that was killed made their account wait for a quarter of an hour. Nodes of before
-- call the functions without a lease, and count as they did.
ALTER TABLE journal.attempts ADD COLUMN under_way timestamptz[] NOT NULL DEFAULT '{}';
DROP FUNCTION journal.admit_attempt(bytea[], integer[], timestamptz, timestamptz);
DROP FUNCTION journal.settle_attempt(bytea[], bytea[]);

-- Counts an attempt on each subject, or on none where one of them has used up what it is allowed: then the answer is the
-- time until which to wait, and NULL otherwise. An attempt under way counts until `p_lease`, one without a lease until the
-- window ends. Subjects are locked in their order, so that attempts never wait for each other in a circle. Losing the last
-- fractions of a second in a crash of the server is borne.
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

-- Takes an attempt under way, with this lease, back from some subjects, and deletes the counts of others. Without a lease
-- the attempt is one that was counted as it was admitted, as nodes of before this column do.
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

-- An attempt under way, with this lease, failed: it counts on each subject until the window ends.
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
