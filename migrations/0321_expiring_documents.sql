-- For customers whose document expires soon.
CREATE INDEX customers_by_expiry ON read.customers (tenant, (details ->> 'personalIdentificationExpirationDate'))
    WHERE details ->> 'personalIdentificationExpirationDate' IS NOT NULL;
