BEGIN TRANSACTION;
CREATE TABLE bans (
    id INTEGER NOT NULL,
    identity BIGINT NOT NULL,
    scope VARCHAR(8) NOT NULL,
    since BIGINT NOT NULL,
    ends BIGINT,
    action INTEGER,
    PRIMARY KEY (id)
);
INSERT INTO "bans" VALUES(1,281474976710658,'rated',1500,172801500,1);
CREATE TABLE blocks (
    identity BIGINT NOT NULL,
    blocked BIGINT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (identity, blocked),
    FOREIGN KEY(identity) REFERENCES identities (number)
);
INSERT INTO "blocks" VALUES(190283746501,77,1000);
CREATE TABLE conduct (
    game_id INTEGER NOT NULL,
    identity BIGINT NOT NULL,
    at BIGINT NOT NULL,
    kind VARCHAR(16) NOT NULL,
    PRIMARY KEY (game_id, identity),
    FOREIGN KEY(game_id) REFERENCES games (id)
);
INSERT INTO "conduct" VALUES(1,281474976710658,900,'left');
CREATE TABLE device_requests (
    code VARCHAR(6) NOT NULL,
    secret VARCHAR(64) NOT NULL,
    "key" VARCHAR(64) NOT NULL,
    label TEXT NOT NULL,
    state VARCHAR(8) NOT NULL,
    expires BIGINT NOT NULL,
    PRIMARY KEY (code)
);
INSERT INTO "device_requests" VALUES('482190','dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd','EEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE','Chrome, Android','waiting',3000);
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
INSERT INTO "devices" VALUES(5,190283746501,'BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB','Firefox, Linux',1000,2000,'006338b4402a6173ae5d5ba34853afc13c5dcfc6127b056c2f9f4525803644fb');
CREATE TABLE events (
	game_id INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	kind TEXT NOT NULL, 
	side TEXT, 
	data TEXT NOT NULL, 
	PRIMARY KEY (game_id, version), 
	FOREIGN KEY(game_id) REFERENCES games (id)
)
 WITHOUT ROWID

;
INSERT INTO "events" VALUES(2,1,10,'move','X','{"move":"1"}');
INSERT INTO "events" VALUES(2,2,20,'end',NULL,'{"termination":"line","winner":"O"}');
INSERT INTO "events" VALUES(3,1,10,'move','X','{"move":"1"}');
INSERT INTO "events" VALUES(3,2,20,'move','O','{"move":"2"}');
INSERT INTO "events" VALUES(4,1,10,'move','X','{"move":"1"}');
INSERT INTO "events" VALUES(4,2,20,'move','O','{"move":"2"}');
INSERT INTO "events" VALUES(4,3,30,'move','X','{"move":"3"}');
INSERT INTO "events" VALUES(4,4,40,'end',NULL,'{"termination":"line","winner":"X"}');
INSERT INTO "events" VALUES(5,1,10,'move','X','{"move":"1"}');
INSERT INTO "events" VALUES(5,2,20,'move','O','{"move":"2"}');
INSERT INTO "events" VALUES(5,3,30,'move','X','{"move":"3"}');
INSERT INTO "events" VALUES(5,4,40,'move','O','{"move":"4"}');
INSERT INTO "events" VALUES(6,1,10,'move','X','{"move":"1"}');
INSERT INTO "events" VALUES(6,2,20,'move','O','{"move":"2"}');
INSERT INTO "events" VALUES(6,3,30,'move','X','{"move":"3"}');
INSERT INTO "events" VALUES(6,4,40,'move','O','{"move":"4"}');
INSERT INTO "events" VALUES(6,5,50,'move','X','{"move":"5"}');
INSERT INTO "events" VALUES(6,6,60,'end',NULL,'{"termination":"full","winner":null}');
INSERT INTO "events" VALUES(7,1,10,'move','X','{"move":"1"}');
INSERT INTO "events" VALUES(7,2,20,'move','O','{"move":"2"}');
INSERT INTO "events" VALUES(7,3,30,'move','X','{"move":"3"}');
INSERT INTO "events" VALUES(7,4,40,'move','O','{"move":"4"}');
INSERT INTO "events" VALUES(7,5,50,'move','X','{"move":"5"}');
INSERT INTO "events" VALUES(7,6,60,'move','O','{"move":"6"}');
INSERT INTO "events" VALUES(8,1,10,'move','X','{"move":"1"}');
INSERT INTO "events" VALUES(8,2,20,'move','O','{"move":"2"}');
INSERT INTO "events" VALUES(8,3,30,'move','X','{"move":"3"}');
INSERT INTO "events" VALUES(8,4,40,'move','O','{"move":"4"}');
INSERT INTO "events" VALUES(8,5,50,'move','X','{"move":"5"}');
INSERT INTO "events" VALUES(8,6,60,'move','O','{"move":"6"}');
INSERT INTO "events" VALUES(8,7,70,'move','X','{"move":"7"}');
INSERT INTO "events" VALUES(8,8,80,'end',NULL,'{"termination":"line","winner":"O"}');
INSERT INTO "events" VALUES(10,1,10,'move','X','{"move":"1"}');
INSERT INTO "events" VALUES(10,2,20,'end',NULL,'{"termination":"line","winner":"X"}');
INSERT INTO "events" VALUES(11,1,10,'move','X','{"move":"1"}');
INSERT INTO "events" VALUES(11,2,20,'move','O','{"move":"2"}');
INSERT INTO "events" VALUES(12,1,10,'move','X','{"move":"1"}');
INSERT INTO "events" VALUES(12,2,20,'move','O','{"move":"2"}');
INSERT INTO "events" VALUES(12,3,30,'move','X','{"move":"3"}');
INSERT INTO "events" VALUES(12,4,40,'end',NULL,'{"termination":"full","winner":null}');
CREATE TABLE game_identities (
    game_id INTEGER NOT NULL,
    side VARCHAR(16) NOT NULL,
    identity BIGINT NOT NULL,
    rated BOOLEAN DEFAULT FALSE NOT NULL,
    PRIMARY KEY (game_id, side),
    FOREIGN KEY(game_id) REFERENCES games (id)
);
INSERT INTO "game_identities" VALUES(2,'X',190283746501,0);
CREATE TABLE games (
	id INTEGER NOT NULL, 
	created BIGINT NOT NULL, 
	game TEXT NOT NULL, 
	start TEXT, 
	seats TEXT NOT NULL, 
	clock TEXT NOT NULL, 
	who TEXT NOT NULL, 
	series_id INTEGER, 
	digest VARCHAR(64) NOT NULL, opening TEXT, origin TEXT DEFAULT 'local' NOT NULL, counted BOOLEAN DEFAULT TRUE NOT NULL, visibility TEXT DEFAULT 'link' NOT NULL, link VARCHAR(64), form INTEGER DEFAULT 1 NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(series_id) REFERENCES series (id)
);
INSERT INTO "games" VALUES(1,0,'tictactoe',NULL,'[["X","Ada"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',1,'ed346b62d4cba75c24289d4287919fd33fc0c4db1b2a3ac0f5ac8abd6632e7dc',NULL,'local',1,'link',NULL,2);
INSERT INTO "games" VALUES(2,1,'tictactoe',NULL,'[["X","O''Neil \"; DROP TABLE games; --"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',2,'c256f08c0da3e9ee3b17a303a1e5d8ac2008d4ac51d2f8371e5f9bf3a3615264',NULL,'local',1,'link',NULL,2);
INSERT INTO "games" VALUES(3,2,'tictactoe',NULL,'[["X","\u4e95\u5b57\u68cb \u73a9\u5bb6"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',NULL,'e04031c23544740ffd9da3713af3b20d2ccef9a8a9e05f755d490e395ddf9e9f',NULL,'local',1,'link',NULL,2);
INSERT INTO "games" VALUES(4,3,'tictactoe',NULL,'[["X","\ud83d\ude42\ud83d\udc4d\ud83c\udffd"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',1,'3062a3ae7ee67dfda3d6e8ac7b662a4e83325305ecd5fae6f1ef3c28cc2420b4',NULL,'local',1,'link',NULL,2);
INSERT INTO "games" VALUES(5,4,'tictactoe',NULL,'[["X","\u0416\u0430\u043d\u043d\u0430"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',2,'a164c14716655bd6bdac2d566bac4edc2d5b6f8df93c11df9f25ba7a3be1627c',NULL,'local',1,'link',NULL,2);
INSERT INTO "games" VALUES(6,5,'tictactoe',NULL,'[["X","a\\b%_{}\n\u0000"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',NULL,'676749caf8b036338f6aaf995af33c331734587d75d1de8485fdc059ea2daf55',NULL,'local',1,'link',NULL,2);
INSERT INTO "games" VALUES(7,6,'tictactoe',NULL,'[["X","Ada"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',1,'531cabd29fa34bd3f8307c3775a15d1bff468ec4f90608341f9c9ab730bba78f',NULL,'local',1,'link',NULL,2);
INSERT INTO "games" VALUES(8,7,'tictactoe',NULL,'[["X","O''Neil \"; DROP TABLE games; --"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',2,'32e020bc9ef2009e3b1c4387a85f2f8de1d4570e14ac373a0acfc5daae380494',NULL,'tournament',1,'public',NULL,2);
INSERT INTO "games" VALUES(9,8,'tictactoe',NULL,'[["X","\u4e95\u5b57\u68cb \u73a9\u5bb6"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',NULL,'d95ebca5b11a6c1085ecbfc569b457f9ce9591e213b881363aa50c7231b1dfcb',NULL,'local',1,'link',NULL,2);
INSERT INTO "games" VALUES(10,9,'tictactoe',NULL,'[["X","\ud83d\ude42\ud83d\udc4d\ud83c\udffd"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',1,'c3f1781d6900b4b0c660628040ebeacbea177e39273337004062a5d0281fd400',NULL,'local',1,'link',NULL,2);
INSERT INTO "games" VALUES(11,10,'tictactoe',NULL,'[["X","\u0416\u0430\u043d\u043d\u0430"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',2,'e48d163830c5d8e4de6282bcb8043cb9e821ac50f0d3eaae40edef7e450d6146',NULL,'local',1,'link',NULL,2);
INSERT INTO "games" VALUES(12,11,'tictactoe',NULL,'[["X","a\\b%_{}\n\u0000"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',NULL,'6314b69756276f5be7987a99ba4bb7b96938cb0f588c9607847e6216632e60d5',NULL,'local',1,'link',NULL,2);
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
    digest VARCHAR(64) NOT NULL, drawn TEXT,
    PRIMARY KEY (number)
);
INSERT INTO "identities" VALUES(190283746501,'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA','Ada','ada','ada',1000,NULL,2000,1500,'everybody',0,'5e6fc43d89d34e28715af6f97adfe03adcaa900a2d3d9640c119ab5e44b388b1','ada');
CREATE TABLE inbox (
    identity BIGINT NOT NULL,
    kind VARCHAR(16) NOT NULL,
    subject VARCHAR(64) NOT NULL,
    at BIGINT NOT NULL,
    facts TEXT NOT NULL,
    is_read BOOLEAN DEFAULT FALSE NOT NULL,
    PRIMARY KEY (identity, kind, subject)
);
INSERT INTO "inbox" VALUES(190283746501,'turn','abcdefghijklmnopqrst',1000,'{"room":"abcdefghijklmnopqrst"}',0);
CREATE TABLE noughts_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT noughts_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "noughts_version" VALUES('0018');
CREATE TABLE offers (
    visitor VARCHAR(64) NOT NULL,
    is_challenge BOOLEAN NOT NULL,
    lasting BIGINT DEFAULT 0 NOT NULL,
    changed BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    facts TEXT NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (visitor, is_challenge, lasting)
);
INSERT INTO "offers" VALUES('abababababababababababababababababababababababababababababababab',0,0,1,0,'{"clocks":[{"base":300000,"increment":3000,"per_move":null}],"games":["gomoku","tictactoe"],"highest":null,"is_rated":false,"last":null,"lowest":null,"number":1,"opponent":null,"recipient":null,"room":null,"seeker":{"identity":null,"name":"Ada","ratings":{},"visitor":"abababababababababababababababababababababababababababababababab"},"since":1000,"state":"open","visibility":"link","worker":"cdcdcdcdcdcdcdcd"}','86ee52a3ead40936f2752be7163ee3c8bb50fb5ecb2f04d83541a47d80312b59');
CREATE TABLE operator_actions (
    id INTEGER NOT NULL,
    at BIGINT NOT NULL,
    operator BIGINT,
    subject BIGINT NOT NULL,
    decision VARCHAR(16) NOT NULL,
    note TEXT NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (id)
);
INSERT INTO "operator_actions" VALUES(1,1500,NULL,281474976710658,'no-rated','Third case','{}');
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
INSERT INTO "people_entries" VALUES(1,1,'Ada','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',NULL,'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd');
CREATE TABLE people_events (
    tournament_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (tournament_id, version),
    FOREIGN KEY(tournament_id) REFERENCES people_tournaments (id)
) WITHOUT ROWID;
INSERT INTO "people_events" VALUES(1,1,1000,'entered','{"entry":1}');
CREATE TABLE people_tournaments (
    id INTEGER NOT NULL,
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
INSERT INTO "people_tournaments" VALUES(1,1000,'KQMABC','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','{}',1,0,2592001000,'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd');
CREATE TABLE player_pauses (
    identity BIGINT NOT NULL,
    begun BIGINT NOT NULL,
    ends BIGINT NOT NULL,
    PRIMARY KEY (identity)
);
INSERT INTO "player_pauses" VALUES(190283746501,1000,605801000);
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
INSERT INTO "push_subscriptions" VALUES('eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',190283746501,5,'https://push.example/1','BAAA','AAAA','en',1000);
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
INSERT INTO "rated_games" VALUES(1,2,3000,'tictactoe','live','[190283746501,"level:4"]',2,'b0a26b7c8dd2a3e8a698b69337ba9cfa397f04d0dc9bd1e7e8a262ee2b877d20');
CREATE TABLE rating_changes (
    number INTEGER NOT NULL,
    identity BIGINT NOT NULL,
    rating_before DOUBLE PRECISION NOT NULL,
    deviation_before DOUBLE PRECISION NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (number, identity)
);
INSERT INTO "rating_changes" VALUES(1,190283746501,1500.0,500.0,1650.5,186.25);
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
INSERT INTO "ratings" VALUES(190283746501,'tictactoe','live',1650.5,186.25,0.09,3000,1,0,0);
CREATE TABLE reports (
    id INTEGER NOT NULL,
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
INSERT INTO "reports" VALUES(1,1000,281474976710657,281474976710658,'leaving',1,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',1);
CREATE TABLE room_keys (
	room VARCHAR(32) NOT NULL, 
	place INTEGER NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	version INTEGER NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	PRIMARY KEY (room, place, "key"), 
	FOREIGN KEY(room) REFERENCES rooms (name)
)
 WITHOUT ROWID

;
CREATE TABLE room_pauses (
    number INTEGER NOT NULL,
    milliseconds BIGINT NOT NULL,
    PRIMARY KEY (number)
);
CREATE TABLE room_people (
    identity BIGINT NOT NULL,
    room VARCHAR(32) NOT NULL,
    PRIMARY KEY (identity, room)
);
INSERT INTO "room_people" VALUES(190283746501,'TX2t3Q09bZ3N_S1djb3t');
CREATE TABLE room_visitors (
    visitor VARCHAR(64) NOT NULL,
    room VARCHAR(32) NOT NULL,
    PRIMARY KEY (visitor, room)
);
INSERT INTO "room_visitors" VALUES('abababababababababababababababababababababababababababababababab','TX2t3Q09bZ3N_S1djb3t');
CREATE TABLE room_workers (
	name VARCHAR(32) NOT NULL, 
	seen BIGINT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "room_workers" VALUES('255585b5e5154575',1000);
CREATE TABLE rooms (
	name VARCHAR(32) NOT NULL, 
	version INTEGER NOT NULL, 
	due BIGINT NOT NULL, 
	code VARCHAR(6), 
	is_computer_awaited BOOLEAN NOT NULL, 
	facts TEXT NOT NULL, 
	digest VARCHAR(64) NOT NULL, has_public_game BOOLEAN DEFAULT FALSE NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "rooms" VALUES('TX2t3Q09bZ3N_S1djb3t',1,901000,'MHJWWG',0,'{"acted":1,"begun":null,"begun_after":0,"expires":901000,"game_id":null,"is_closed":false,"seats":[null,["\u4e95\u5b57\u68cb \u73a9\u5bb6","4125feaf08d2a7870038687204a04d275de64d5c710bb2f32ad0ed8dc4e65bdf","255585b5e5154575"]],"series_id":null,"setup":{"begins":"chooser","claim_after":30000,"clock":{"base":60000,"increment":1000,"per_move":null},"created":900,"game":"4x4","opening":null,"start":null,"visibility":"link","who":["human","human"]},"shared":null,"touched":1000,"touched_after":0,"wishes":[]}','eee4e50e8cb43221ab7c26a95140164faf96c459bc61809f18ef029d2988d581',0);
INSERT INTO "rooms" VALUES('rNwMPGyczPwsXIy87BxM',1,604801000,NULL,0,'{"acted":1,"begun":{"clock":{"base":null,"increment":0,"per_move":null},"created":1000,"game":"tictactoe","is_counted":true,"old_who":null,"opening":null,"origin":"online","seats":[["X","O''Neil"],["O","rule"]],"series":null,"start":null,"who":{"O":"rule","X":"human"}},"begun_after":0,"expires":null,"game_id":null,"is_closed":false,"seats":[["O''Neil","ef81187cb6a43730fcca1a0bef549ac79899c7e7095541f22927b9495a438b2b","255585b5e5154575"],["rule","",null]],"series_id":null,"setup":{"begins":"alternate","claim_after":60000,"clock":{"base":null,"increment":0,"per_move":null},"created":1000,"game":"tictactoe","opening":null,"start":null,"visibility":"link","who":["human","rule"]},"shared":null,"touched":1000,"touched_after":0,"wishes":[]}','69344f4431232f2ae0cfdc7cb2ce4c85b49a0fff83ff2d2e5a4440cd5c295d5a',0);
CREATE TABLE series (
	id INTEGER NOT NULL, 
	created BIGINT NOT NULL, 
	game TEXT NOT NULL, 
	players TEXT NOT NULL, 
	begins TEXT NOT NULL, 
	ended BOOLEAN NOT NULL, 
	games INTEGER NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "series" VALUES(1,1,'tictactoe','["Ada","O''Neil \"; DROP TABLE games; --"]','chooser',1,4,'572028d7376f888bf4913353af8bb7879aee49cef4f12f022dc2524efe6b4b93');
INSERT INTO "series" VALUES(2,2,'4x4','["\u4e95\u5b57\u68cb \u73a9\u5bb6","\ud83d\ude42\ud83d\udc4d\ud83c\udffd"]','loser',0,4,'e9681bced6ec445dbcf229d9d8b054770f3ef6e27949ccb8a8ed9818d3471229');
CREATE TABLE server_secrets (
    name VARCHAR(32) NOT NULL,
    secret VARCHAR(64) NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (name)
);
INSERT INTO "server_secrets" VALUES('login','0000000000000000000000000000000000000000000000000000000000000000',1000);
CREATE TABLE sessions (
    token VARCHAR(64) NOT NULL,
    device BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (token),
    FOREIGN KEY(device) REFERENCES devices (number)
);
INSERT INTO "sessions" VALUES('cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc',5,3000,'c0ebb69013860f2039ed5f3ef76554dae6bb79eb1a4c3ceb3854eac67dae0fd8');
CREATE TABLE taken_names (
    shape TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (shape)
);
INSERT INTO "taken_names" VALUES('badname',1000);
CREATE TABLE tournament_games (
    tournament_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    game_id INTEGER NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (tournament_id, number),
    FOREIGN KEY(tournament_id) REFERENCES tournaments (id),
    FOREIGN KEY(game_id) REFERENCES games (id)
) WITHOUT ROWID;
INSERT INTO "tournament_games" VALUES(1,2,8,'6fff5f59799e8b3a0f810210588065756a8d451f8ccc9f388f6aeef612310396');
CREATE TABLE tournament_running (
    tournament_id INTEGER NOT NULL,
    at BIGINT NOT NULL,
    games TEXT NOT NULL,
    PRIMARY KEY (tournament_id),
    FOREIGN KEY(tournament_id) REFERENCES tournaments (id)
) WITHOUT ROWID;
INSERT INTO "tournament_running" VALUES(1,6,'[[1,5,"[1,5,\"move\",\"X\",{\"move\":\"5\"}]\n"]]');
CREATE TABLE tournaments (
    id INTEGER NOT NULL,
    created BIGINT NOT NULL,
    name VARCHAR(64) NOT NULL,
    plan TEXT NOT NULL,
    openings TEXT NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (id)
);
INSERT INTO "tournaments" VALUES(1,5,'7414e5724e2367989ab9236c3507bf5fa53b613a7fcdadfb9e17b57c835648ac','{"format":"round-robin","games":["tictactoe"],"limits":{"increment_ms":0,"match_ms":null,"nodes":null,"turn_ms":null},"openings":"start","pairs":1,"players":[{"name":"Ada","options":{},"who":"rule"},{"name":"Wei","options":{},"who":"random"}],"seed":7,"test":null}','{"tictactoe":[]}','26c6ae61c58eb94358802383d3538640a29c59ece8290cb02e53b579e679fb62');
CREATE TABLE used_nonces (
    nonce VARCHAR(64) NOT NULL,
    expires BIGINT NOT NULL,
    PRIMARY KEY (nonce)
);
INSERT INTO "used_nonces" VALUES('ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',3000);
CREATE TABLE walls (
    number INTEGER NOT NULL,
    version BIGINT NOT NULL,
    rooms TEXT NOT NULL,
    PRIMARY KEY (number)
);
CREATE INDEX rooms_due ON rooms (due);
CREATE UNIQUE INDEX rooms_code ON rooms (code);
CREATE UNIQUE INDEX tournaments_name ON tournaments (name);
CREATE UNIQUE INDEX identities_key ON identities ("key");
CREATE UNIQUE INDEX devices_key ON devices ("key");
CREATE INDEX devices_identity ON devices (identity);
CREATE INDEX sessions_device ON sessions (device);
CREATE UNIQUE INDEX device_requests_secret ON device_requests (secret);
CREATE INDEX game_identities_identity ON game_identities (identity, game_id);
CREATE UNIQUE INDEX rated_games_game ON rated_games (game_id);
CREATE INDEX ratings_best ON ratings (game, speed, rating);
CREATE INDEX rating_changes_identity ON rating_changes (identity, number);
CREATE UNIQUE INDEX people_tournaments_code ON people_tournaments (code);
CREATE INDEX rooms_public ON rooms (name) WHERE has_public_game;
CREATE INDEX inbox_newest ON inbox (identity, at);
CREATE INDEX push_subscriptions_identity ON push_subscriptions (identity);
CREATE INDEX room_people_room ON room_people (room);
CREATE INDEX reports_reported ON reports (reported, action);
CREATE INDEX reports_reporter ON reports (reporter, created);
CREATE INDEX operator_actions_subject ON operator_actions (subject);
CREATE INDEX bans_identity ON bans (identity);
CREATE INDEX conduct_identity ON conduct (identity, at);
CREATE INDEX conduct_kind ON conduct (kind);
CREATE INDEX offers_changed ON offers (changed);
CREATE INDEX room_visitors_room ON room_visitors (room);
CREATE INDEX identities_shape ON identities (shape);
CREATE INDEX identities_drawn ON identities (drawn);
COMMIT;
