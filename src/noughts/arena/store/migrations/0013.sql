-- News for people with keys: at most one row for each kind and subject, such as a room. `facts` is JSON.
CREATE TABLE inbox (
    identity BIGINT NOT NULL,
    kind VARCHAR(16) NOT NULL,
    subject VARCHAR(64) NOT NULL,
    at BIGINT NOT NULL,
    facts TEXT NOT NULL,
    is_read BOOLEAN DEFAULT FALSE NOT NULL,
    PRIMARY KEY (identity, kind, subject)
);

CREATE INDEX inbox_newest ON inbox (identity, at);

-- Browsers that get calls with the page closed. `id` is the SHA-256 of the address `endpoint`. `client_key` and
-- `auth` are the keys of the browser for the encryption of RFC 8291.
CREATE TABLE push_subscriptions (
    id VARCHAR(64) NOT NULL,
    identity BIGINT NOT NULL,
    device BIGINT NOT NULL,
    endpoint TEXT NOT NULL,
    client_key VARCHAR(100) NOT NULL,
    auth VARCHAR(32) NOT NULL,
    language VARCHAR(8) NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX push_subscriptions_identity ON push_subscriptions (identity);

UPDATE noughts_version SET version_num = '0013';
