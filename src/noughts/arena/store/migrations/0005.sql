-- What is being played of a tournament, as who holds it said last: it counts for nothing, and may be out of date.

CREATE TABLE tournament_running (
    tournament_id INTEGER NOT NULL,
    at BIGINT NOT NULL,
    games TEXT NOT NULL,
    PRIMARY KEY (tournament_id),
    FOREIGN KEY(tournament_id) REFERENCES tournaments (id)
) WITHOUT ROWID;

UPDATE noughts_version SET version_num = '0005';
