-- The origin of a game, and if it counts, are stored in their columns only; the digest covers both. In rows of earlier
-- versions, whose form is 1, the text of `who` says it too, and the digest covers that text.

ALTER TABLE games ADD COLUMN form INTEGER DEFAULT 1 NOT NULL;

UPDATE noughts_version SET version_num = '0007';
