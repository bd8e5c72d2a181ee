-- The digest of the e-mail address with which a session's party logs in: another address ends the session with its commit.
-- NULL for sessions older than this column.
ALTER TABLE journal.sessions ADD COLUMN address bytea CHECK (octet_length(address) = 32);
