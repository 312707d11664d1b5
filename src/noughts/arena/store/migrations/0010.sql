-- The offers of the lobby: at most one offer and one challenge of each visitor, who is known by the SHA-256 of the token
-- of the seats that the visitor gets. `changed` counts the changes of the lobby. Ended offers are removed after an hour.
CREATE TABLE offers (
    visitor VARCHAR(64) NOT NULL,
    is_challenge BOOLEAN NOT NULL,
    changed BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    facts TEXT NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (visitor, is_challenge)
);

CREATE INDEX offers_changed ON offers (changed);

UPDATE noughts_version SET version_num = '0010';
