-- Forgetting people: the destruction of their data keys, which is part of an append, and what goes with it.

-- Whom the reason of a failed or cancelled remittance is about: the recipient of that moment. The read models are
-- disposable: they are emptied, and built anew by the projector.
DO $$
DECLARE
    names text;
BEGIN
    SELECT string_agg(format('read.%I', tablename), ', ') INTO names FROM pg_tables WHERE schemaname = 'read';
    EXECUTE 'TRUNCATE ' || names;
END
$$;
ALTER TABLE read.remittance_history ADD COLUMN subject uuid;
CREATE INDEX remittance_history_by_subject ON read.remittance_history (tenant, subject) WHERE subject IS NOT NULL;

-- A forgotten person's files are removed; before, files stayed for ever.
GRANT DELETE ON journal.files, journal.file_owners TO caudal_node;

-- An append that forgets people: their keys become tombstones, and what they signed in with is gone, with the events
-- that say so or not at all. It stands beside `journal.append`, which all other appends go on calling as it is.
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

-- Rotating the master key: the data keys that are still wrapped under another one, in batches.
CREATE INDEX subject_keys_by_master ON journal.subject_keys (tenant, master) WHERE master IS NOT NULL;
