-- The rooms in which all clients may watch a running game, to find them quickly. Other code checks the rooms themselves.
ALTER TABLE rooms ADD COLUMN has_public_game BOOLEAN DEFAULT FALSE NOT NULL;

CREATE INDEX rooms_public ON rooms (name) WHERE has_public_game;

-- The rooms on the wall of live boards, as JSON in one row, so that all workers show the same boards.
CREATE TABLE walls (
    number INTEGER NOT NULL,
    version BIGINT NOT NULL,
    rooms TEXT NOT NULL,
    PRIMARY KEY (number)
);

UPDATE noughts_version SET version_num = '0012';
