-- How many signed checkpoints a verification compared the log with; null for verifications of earlier versions.
ALTER TABLE journal.verifications ADD COLUMN checkpoints bigint CHECK (checkpoints >= 0);
