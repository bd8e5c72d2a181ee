-- A snapshot of the books is some megabytes of text where many remittances are under way. To compress it took a core for
-- a tenth of a second, in which nobody's sale was committed; it is written as it is, a tenth of what the events since the
-- last one took.
ALTER TABLE journal.snapshots ALTER COLUMN state SET STORAGE EXTERNAL;
