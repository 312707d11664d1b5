-- The second shape of names, with small Greek letters as they are drawn. The program computes it.
ALTER TABLE identities ADD COLUMN drawn TEXT;

CREATE INDEX identities_drawn ON identities (drawn);

UPDATE noughts_version SET version_num = '0018';
