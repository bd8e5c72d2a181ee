-- What a search finds is a few people as a rule, which the planner can't know: it takes a function's rows for a thousand
-- and reads whole tables to join them. Inside the functions the indexes are to be used.
ALTER FUNCTION read.search_customers(text, text[]) SET enable_seqscan TO off;
ALTER FUNCTION read.search_remittances(text, text[]) SET enable_seqscan TO off;
ALTER FUNCTION read.search_remittances(text, text[]) SET enable_hashjoin TO off;
ALTER FUNCTION read.search_remittances(text, text[]) SET enable_mergejoin TO off;
