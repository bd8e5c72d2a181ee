-- Stored results of verifications bear a MAC like the other rows beside the log: an UPDATE would otherwise make a screen call a
-- damaged log whole. Results of earlier versions have none: they count for nothing, and can be requested again.
ALTER TABLE journal.verifications ADD COLUMN mac bytea;
