-- The forms of hashes that records of this database may have: 1 is that of all values, 2 has the hashes of long parts. A Hookline
-- that does not know the second form would take new records for changed ones: this table keeps it from opening the database.
CREATE TABLE record_forms (
  form INTEGER PRIMARY KEY
) STRICT;

INSERT INTO record_forms (form) VALUES (1), (2);
