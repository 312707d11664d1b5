-- Rooms of online play, the keys of what was asked for in them, and who serves them.

-- What the rooms are found by is written with them, and what is read of a room is checked by its digest.
CREATE TABLE rooms (
    name VARCHAR(32) NOT NULL,
    version INTEGER NOT NULL,
    due BIGINT NOT NULL,
    code VARCHAR(6),
    is_computer_awaited BOOLEAN NOT NULL,
    facts TEXT NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (name)
);

CREATE INDEX rooms_due ON rooms (due);

CREATE UNIQUE INDEX rooms_code ON rooms (code);

CREATE TABLE room_keys (
    room VARCHAR(32) NOT NULL,
    place INTEGER NOT NULL,
    "key" VARCHAR(64) NOT NULL,
    version INTEGER NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (room, place, "key"),
    FOREIGN KEY(room) REFERENCES rooms (name)
) WITHOUT ROWID;

CREATE TABLE room_workers (
    name VARCHAR(32) NOT NULL,
    seen BIGINT NOT NULL,
    PRIMARY KEY (name)
);

UPDATE noughts_version SET version_num = '0002';
