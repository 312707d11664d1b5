-- The protocol by which the players of a game settle their sides: empty where there was none.

ALTER TABLE games ADD COLUMN opening TEXT;

UPDATE noughts_version SET version_num = '0003';
