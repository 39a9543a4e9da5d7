-- Hashes of the columns that a record was too large to send with, as JSON: its own hash is computed with them.
ALTER TABLE hookline.events ADD COLUMN parts text NOT NULL DEFAULT '{}';
