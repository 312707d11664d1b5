-- Wider shapes of names: names of different players may have one shape now, if they were claimed before. The program
-- computes all shapes again.
DROP INDEX identities_shape;

CREATE INDEX identities_shape ON identities (shape);

UPDATE noughts_version SET version_num = '0017';
