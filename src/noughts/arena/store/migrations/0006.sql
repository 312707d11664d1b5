-- Where a game was played, whether its result counts, and who may see it: the digest covers none of the three.
-- The secret that opens a private game is stored as its SHA-256.

ALTER TABLE games ADD COLUMN origin TEXT DEFAULT 'local' NOT NULL;

ALTER TABLE games ADD COLUMN counted BOOLEAN DEFAULT TRUE NOT NULL;

ALTER TABLE games ADD COLUMN visibility TEXT DEFAULT 'link' NOT NULL;

ALTER TABLE games ADD COLUMN link VARCHAR(64);

UPDATE games SET origin = 'online' WHERE who LIKE '%"online":"online"%';

UPDATE games SET origin = 'tournament', visibility = 'public'
WHERE who LIKE '%"tournament":"tournament"%' OR id IN (SELECT game_id FROM tournament_games);

UPDATE games SET counted = FALSE WHERE who LIKE '%"uncounted":"uncounted"%';

-- How far the time of the server jumped between two processes: such a jump is nobody's time.
CREATE TABLE room_pauses (
    number INTEGER NOT NULL,
    milliseconds BIGINT NOT NULL,
    PRIMARY KEY (number)
);

UPDATE noughts_version SET version_num = '0006';
