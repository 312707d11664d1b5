-- People with keys. A number is random, so that nobody can list people by counting. A key is a public Ed25519 key in
-- base64. A name that its owner gave up, or lost after a year, is NULL. `shape` is equal for names that look alike.
CREATE TABLE identities (
    number BIGINT NOT NULL,
    "key" VARCHAR(64) NOT NULL,
    name TEXT,
    folded_name TEXT,
    shape TEXT,
    created BIGINT NOT NULL,
    renamed BIGINT,
    seen BIGINT NOT NULL,
    words_checked BIGINT,
    asked_by VARCHAR(16) DEFAULT 'everybody' NOT NULL,
    is_bot BOOLEAN DEFAULT FALSE NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (number)
);

CREATE UNIQUE INDEX identities_key ON identities ("key");

CREATE UNIQUE INDEX identities_shape ON identities (shape);

-- Each device has a key of its own, so that it can be removed.
CREATE TABLE devices (
    number BIGINT NOT NULL,
    identity BIGINT NOT NULL,
    "key" VARCHAR(64) NOT NULL,
    label TEXT NOT NULL,
    created BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (number),
    FOREIGN KEY(identity) REFERENCES identities (number)
);

CREATE UNIQUE INDEX devices_key ON devices ("key");

CREATE INDEX devices_identity ON devices (identity);

-- A session is stored as the SHA-256 of the secret in its cookie.
CREATE TABLE sessions (
    token VARCHAR(64) NOT NULL,
    device BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (token),
    FOREIGN KEY(device) REFERENCES devices (number)
);

CREATE INDEX sessions_device ON sessions (device);

-- New devices that wait for the approval of another device. `secret` is the SHA-256 of the secret of the new device.
CREATE TABLE device_requests (
    code VARCHAR(6) NOT NULL,
    secret VARCHAR(64) NOT NULL,
    "key" VARCHAR(64) NOT NULL,
    label TEXT NOT NULL,
    state VARCHAR(8) NOT NULL,
    expires BIGINT NOT NULL,
    PRIMARY KEY (code)
);

CREATE UNIQUE INDEX device_requests_secret ON device_requests (secret);

-- Login texts that were signed. None is accepted twice.
CREATE TABLE used_nonces (
    nonce VARCHAR(64) NOT NULL,
    expires BIGINT NOT NULL,
    PRIMARY KEY (nonce)
);

-- Secrets that all workers of the database share.
CREATE TABLE server_secrets (
    name VARCHAR(32) NOT NULL,
    secret VARCHAR(64) NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE blocks (
    identity BIGINT NOT NULL,
    blocked BIGINT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (identity, blocked),
    FOREIGN KEY(identity) REFERENCES identities (number)
);

-- The people with keys in a game, by the side of the start. The rows stay after an identity was forgotten.
CREATE TABLE game_identities (
    game_id INTEGER NOT NULL,
    side VARCHAR(16) NOT NULL,
    identity BIGINT NOT NULL,
    rated BOOLEAN DEFAULT FALSE NOT NULL,
    PRIMARY KEY (game_id, side),
    FOREIGN KEY(game_id) REFERENCES games (id)
);

CREATE INDEX game_identities_identity ON game_identities (identity, game_id);

UPDATE noughts_version SET version_num = '0008';
