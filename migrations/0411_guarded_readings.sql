-- Reads of personal data, and bindings to identity providers, were written for a tenant that is held or has left: a move found copies
-- that differ, or the rows were lost with the old cell's copy.
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.readings
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.viewings
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.sign_on_secrets
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.sign_on_subjects
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
