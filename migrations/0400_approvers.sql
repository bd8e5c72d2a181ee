-- Who approved what a change waited for; NULL where it took effect at once.
ALTER TABLE read.remittance_history ADD COLUMN approver uuid;
ALTER TABLE read.movements ADD COLUMN approver uuid;
