-- Tournaments of people: what happened in each, and the names of its players. A player or organiser is known by the
-- SHA-256 of a secret. The digest of a tournament covers its terms and all events, as that of a game does. Names are
-- not covered by it, because they are deleted at the instant `forget`.
CREATE TABLE people_tournaments (
    id SERIAL NOT NULL,
    created BIGINT NOT NULL,
    code VARCHAR(6) NOT NULL,
    organiser VARCHAR(64) NOT NULL,
    terms TEXT NOT NULL,
    version INTEGER NOT NULL,
    is_over BOOLEAN NOT NULL,
    forget BIGINT,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (id)
);

CREATE UNIQUE INDEX people_tournaments_code ON people_tournaments (code);

CREATE TABLE people_entries (
    tournament_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    token VARCHAR(64) NOT NULL,
    identity BIGINT,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (tournament_id, number),
    FOREIGN KEY(tournament_id) REFERENCES people_tournaments (id)
) WITHOUT ROWID;

CREATE TABLE people_events (
    tournament_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (tournament_id, version),
    FOREIGN KEY(tournament_id) REFERENCES people_tournaments (id)
) WITHOUT ROWID;

UPDATE noughts_version SET version_num = '0011';
