-- Hashes of the pictures of a customer's present document; NULL without any.
ALTER TABLE read.customers ADD COLUMN document_pictures jsonb;
