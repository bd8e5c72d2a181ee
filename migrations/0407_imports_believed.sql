-- MACs of what the run of an import believes. A preview of an earlier version has none: it is needed again before a run.
ALTER TABLE journal.imports ADD COLUMN pass      integer NOT NULL DEFAULT 0,
                            ADD COLUMN previewed bytea,
                            ADD COLUMN ordered   bytea;
ALTER TABLE journal.import_rows ADD COLUMN pass integer NOT NULL DEFAULT 0,
                                ADD COLUMN mac  bytea;
