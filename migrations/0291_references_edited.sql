-- What an edit did to the seller's own reference: before and from then on, in the rows of edits that changed it.
ALTER TABLE read.remittance_history ADD COLUMN reference_before text, ADD COLUMN reference text;
