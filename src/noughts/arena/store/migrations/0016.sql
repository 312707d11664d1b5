-- A player may have several open offers that need no page. The number of such an offer is in `lasting`, which is 0 for
-- an offer that ends with its page.
ALTER TABLE offers RENAME TO offers_before;

CREATE TABLE offers (
    visitor VARCHAR(64) NOT NULL,
    is_challenge BOOLEAN NOT NULL,
    lasting BIGINT DEFAULT 0 NOT NULL,
    changed BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    facts TEXT NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (visitor, is_challenge, lasting)
);

INSERT INTO offers (visitor, is_challenge, changed, ended_at, facts, digest)
    SELECT visitor, is_challenge, changed, ended_at, facts, digest FROM offers_before;

DROP TABLE offers_before;

CREATE INDEX offers_changed ON offers (changed);

-- The rooms of visitors who were away when another player took their offer. `visitor` is the SHA-256 of the token of
-- the seat. The rows are removed with the room.
CREATE TABLE room_visitors (
    visitor VARCHAR(64) NOT NULL,
    room VARCHAR(32) NOT NULL,
    PRIMARY KEY (visitor, room)
);

CREATE INDEX room_visitors_room ON room_visitors (room);

UPDATE noughts_version SET version_num = '0016';
