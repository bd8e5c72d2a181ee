-- Type, country and number of a customer's document as limits compare them: customers with one value are one person.
ALTER TABLE read.customers ADD COLUMN document text COLLATE "C";
