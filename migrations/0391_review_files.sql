-- Hashes of the files of reviews: of a hold's last one, and of each in the history.
ALTER TABLE read.remittance_holds ADD COLUMN review_files jsonb;
ALTER TABLE read.remittance_history ADD COLUMN review_files jsonb;
