-- Series, games and the events of their matches.

CREATE TABLE noughts_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT noughts_version_pkc PRIMARY KEY (version_num)
);

CREATE TABLE series (
    id SERIAL NOT NULL,
    created BIGINT NOT NULL,
    game TEXT NOT NULL,
    players TEXT NOT NULL,
    begins TEXT NOT NULL,
    ended BOOLEAN NOT NULL,
    games INTEGER NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (id)
);

-- There is no index on series_id: what an index has lost is not missed by any check of the file.
CREATE TABLE games (
    id SERIAL NOT NULL,
    created BIGINT NOT NULL,
    game TEXT NOT NULL,
    start TEXT,
    seats TEXT NOT NULL,
    clock TEXT NOT NULL,
    who TEXT NOT NULL,
    series_id INTEGER,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(series_id) REFERENCES series (id)
);

CREATE TABLE events (
    game_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    side TEXT,
    data TEXT NOT NULL,
    PRIMARY KEY (game_id, version),
    FOREIGN KEY(game_id) REFERENCES games (id)
) WITHOUT ROWID;

INSERT INTO noughts_version (version_num) VALUES ('0001');
