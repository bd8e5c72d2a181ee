-- Permission set and end of access of members of the office. NULL is a full manager, as every manager was before.
ALTER TABLE read.parties
    ADD COLUMN permission_set    text COLLATE "C",
    ADD COLUMN access_expires_at timestamptz;
