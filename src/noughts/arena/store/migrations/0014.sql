-- The rooms in which each person with a key has a seat: an index of the seats in `rooms`.
CREATE TABLE room_people (
    identity BIGINT NOT NULL,
    room VARCHAR(32) NOT NULL,
    PRIMARY KEY (identity, room)
);

CREATE INDEX room_people_room ON room_people (room);

-- The last pause of each person with a key. It stops the clocks of the person's games by days.
CREATE TABLE player_pauses (
    identity BIGINT NOT NULL,
    begun BIGINT NOT NULL,
    ends BIGINT NOT NULL,
    PRIMARY KEY (identity)
);

UPDATE noughts_version SET version_num = '0014';
