-- Tournaments, and which of their games are kept: each of them once.

CREATE TABLE tournaments (
    id SERIAL NOT NULL,
    created BIGINT NOT NULL,
    name VARCHAR(64) NOT NULL,
    plan TEXT NOT NULL,
    openings TEXT NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (id)
);

CREATE UNIQUE INDEX tournaments_name ON tournaments (name);

CREATE TABLE tournament_games (
    tournament_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    game_id INTEGER NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (tournament_id, number),
    FOREIGN KEY(tournament_id) REFERENCES tournaments (id),
    FOREIGN KEY(game_id) REFERENCES games (id)
) WITHOUT ROWID;

UPDATE noughts_version SET version_num = '0004';
