-- The finished rated games in the order in which they were counted, each once. `players` is JSON in the order of the
-- sides: the number of an identity, or the name of a computer. The points of the first are half of `half_points`.
CREATE TABLE rated_games (
    number INTEGER NOT NULL,
    game_id INTEGER NOT NULL,
    at BIGINT NOT NULL,
    game TEXT NOT NULL,
    speed VARCHAR(8) NOT NULL,
    players TEXT NOT NULL,
    half_points INTEGER NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (number),
    FOREIGN KEY(game_id) REFERENCES games (id)
);

CREATE UNIQUE INDEX rated_games_game ON rated_games (game_id);

-- The ratings after the last counted games. This table and the next one can be computed again from rated games.
CREATE TABLE ratings (
    identity BIGINT NOT NULL,
    game TEXT NOT NULL,
    speed VARCHAR(8) NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    at BIGINT NOT NULL,
    wins INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    losses INTEGER NOT NULL,
    PRIMARY KEY (identity, game, speed)
);

CREATE INDEX ratings_best ON ratings (game, speed, rating);

CREATE TABLE rating_changes (
    number INTEGER NOT NULL,
    identity BIGINT NOT NULL,
    rating_before DOUBLE PRECISION NOT NULL,
    deviation_before DOUBLE PRECISION NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (number, identity)
);

CREATE INDEX rating_changes_identity ON rating_changes (identity, number);

UPDATE noughts_version SET version_num = '0009';
