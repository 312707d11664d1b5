-- Reports of players: a reason from a list and a game, no text. `address` is the HMAC of the sender's address with a
-- secret that changes every 7 days. `action` is the operator's action that decided the report.
CREATE TABLE reports (
    id SERIAL NOT NULL,
    created BIGINT NOT NULL,
    reporter BIGINT NOT NULL,
    reported BIGINT NOT NULL,
    reason VARCHAR(16) NOT NULL,
    game_id INTEGER,
    address VARCHAR(64),
    action INTEGER,
    PRIMARY KEY (id),
    FOREIGN KEY(game_id) REFERENCES games (id)
);

CREATE INDEX reports_reported ON reports (reported, action);

CREATE INDEX reports_reporter ON reports (reporter, created);

-- All actions of operators. `operator` is NULL for the command line. Rows stay after "Forget me", without the note.
CREATE TABLE operator_actions (
    id SERIAL NOT NULL,
    at BIGINT NOT NULL,
    operator BIGINT,
    subject BIGINT NOT NULL,
    decision VARCHAR(16) NOT NULL,
    note TEXT NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX operator_actions_subject ON operator_actions (subject);

-- Bans from all new games with strangers, or from rated ones. `ends` is NULL for a ban without an end, and `action` for
-- a ban that followed from conduct.
CREATE TABLE bans (
    id SERIAL NOT NULL,
    identity BIGINT NOT NULL,
    scope VARCHAR(8) NOT NULL,
    since BIGINT NOT NULL,
    ends BIGINT,
    action INTEGER,
    PRIMARY KEY (id)
);

CREATE INDEX bans_identity ON bans (identity);

-- The conduct of people with keys in live games with strangers, at the end of each game.
CREATE TABLE conduct (
    game_id INTEGER NOT NULL,
    identity BIGINT NOT NULL,
    at BIGINT NOT NULL,
    kind VARCHAR(16) NOT NULL,
    PRIMARY KEY (game_id, identity),
    FOREIGN KEY(game_id) REFERENCES games (id)
);

CREATE INDEX conduct_identity ON conduct (identity, at);

CREATE INDEX conduct_kind ON conduct (kind);

-- The shapes of names that an operator took away. Nobody can claim them.
CREATE TABLE taken_names (
    shape TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (shape)
);

UPDATE noughts_version SET version_num = '0015';
