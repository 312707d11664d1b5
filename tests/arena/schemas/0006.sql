BEGIN TRANSACTION;
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
CREATE TABLE games (
	id INTEGER NOT NULL, 
	created BIGINT NOT NULL, 
	game TEXT NOT NULL, 
	start TEXT, 
	seats TEXT NOT NULL, 
	clock TEXT NOT NULL, 
	who TEXT NOT NULL, 
	series_id INTEGER, 
	digest VARCHAR(64) NOT NULL, opening TEXT, origin TEXT DEFAULT 'local' NOT NULL, counted BOOLEAN DEFAULT TRUE NOT NULL, visibility TEXT DEFAULT 'link' NOT NULL, link VARCHAR(64), 
	PRIMARY KEY (id), 
	FOREIGN KEY(series_id) REFERENCES series (id)
);
INSERT INTO "games" VALUES(1,0,'tictactoe',NULL,'[["X","Ada"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',1,'f3589a0d8a37ea2a4fb086b5a51fdf0fad946e29df370c9d6f074706ee2c25a0',NULL,'local',1,'link',NULL);
INSERT INTO "games" VALUES(2,1,'tictactoe',NULL,'[["X","O''Neil \"; DROP TABLE games; --"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',2,'d5a8ef8c9bfe6903bad48efb03d6e8799b613b85aa01cfcfd84cdb1b3c5a2741',NULL,'local',1,'link',NULL);
INSERT INTO "games" VALUES(3,2,'tictactoe',NULL,'[["X","\u4e95\u5b57\u68cb \u73a9\u5bb6"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',NULL,'4da0dbb1a5326ed7e3abbd09cb8204981033fc0ba5a2dfe3f85732806d99e193',NULL,'local',1,'link',NULL);
INSERT INTO "games" VALUES(4,3,'tictactoe',NULL,'[["X","\ud83d\ude42\ud83d\udc4d\ud83c\udffd"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',1,'e0265995f8b1c1d769cc88e4a80e3a1dc9661e03131a7d4e2a612ee40515ae55',NULL,'local',1,'link',NULL);
INSERT INTO "games" VALUES(5,4,'tictactoe',NULL,'[["X","\u0416\u0430\u043d\u043d\u0430"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',2,'cecba00fd98366e12a13bcf5c32f60d51ca8498c2c06edb1bddf248f8649f002',NULL,'local',1,'link',NULL);
INSERT INTO "games" VALUES(6,5,'tictactoe',NULL,'[["X","a\\b%_{}\n\u0000"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',NULL,'92febc1b2d71377ae58120e13518ed511d9d4296decc62bd025d27ac856d50b3',NULL,'local',1,'link',NULL);
INSERT INTO "games" VALUES(7,6,'tictactoe',NULL,'[["X","Ada"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',1,'31ad400e7b14825c575c0d598a71484ded166eda2f2b8bba5f09c9d298d02e53',NULL,'local',1,'link',NULL);
INSERT INTO "games" VALUES(8,7,'tictactoe',NULL,'[["X","O''Neil \"; DROP TABLE games; --"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',2,'c409d6a8028e56eb4188a6df2e1ae2153358e04598f56d80635479193fa60582',NULL,'tournament',1,'public',NULL);
INSERT INTO "games" VALUES(9,8,'tictactoe',NULL,'[["X","\u4e95\u5b57\u68cb \u73a9\u5bb6"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',NULL,'51138f76bcfe6e185c39f65cf5de57154f1b151b4957d27de72887c891bdbaf2',NULL,'local',1,'link',NULL);
INSERT INTO "games" VALUES(10,9,'tictactoe',NULL,'[["X","\ud83d\ude42\ud83d\udc4d\ud83c\udffd"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',1,'26a24a4bfc7a7ed0c3b1ae853ba28fc0a6977b3a0bbf0ac80ab53d76baa2bf28',NULL,'local',1,'link',NULL);
INSERT INTO "games" VALUES(11,10,'tictactoe',NULL,'[["X","\u0416\u0430\u043d\u043d\u0430"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',2,'a4afc04ebed7d48ec34c19b6aea2eebc5c6b6ddf70b2d1be4078671a62b7b304',NULL,'local',1,'link',NULL);
INSERT INTO "games" VALUES(12,11,'tictactoe',NULL,'[["X","a\\b%_{}\n\u0000"],["O","Wei"]]','{"base":null,"increment":0,"per_move":null}','{}',NULL,'55a893aca0f0d07dd13669eff7ade1a47bcd64bcc2cf0b95b0a3780ddf2e7135',NULL,'local',1,'link',NULL);
CREATE TABLE noughts_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT noughts_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "noughts_version" VALUES('0006');
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
	digest VARCHAR(64) NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "rooms" VALUES('TX2t3Q09bZ3N_S1djb3t',1,901000,'MHJWWG',0,'{"acted":1,"begun":null,"expires":901000,"game_id":null,"is_closed":false,"seats":[null,["\u4e95\u5b57\u68cb \u73a9\u5bb6","4125feaf08d2a7870038687204a04d275de64d5c710bb2f32ad0ed8dc4e65bdf","255585b5e5154575"]],"series_id":null,"setup":{"begins":"chooser","claim_after":30000,"clock":{"base":60000,"increment":1000,"per_move":null},"created":900,"game":"4x4","who":["human","human"]},"touched":1000,"wishes":[]}','99b6e7914d7d49c1219eeb08d0113848261cd534aa57a6be66388ba5bdd8fd6b');
INSERT INTO "rooms" VALUES('rNwMPGyczPwsXIy87BxM',1,604801000,NULL,0,'{"acted":1,"begun":{"clock":{"base":null,"increment":0,"per_move":null},"created":1000,"game":"tictactoe","seats":[["X","O''Neil"],["O","rule"]],"series":null,"start":null,"who":{"O":"rule","X":"human"}},"expires":null,"game_id":null,"is_closed":false,"seats":[["O''Neil","ef81187cb6a43730fcca1a0bef549ac79899c7e7095541f22927b9495a438b2b","255585b5e5154575"],["rule","",null]],"series_id":null,"setup":{"begins":"alternate","claim_after":60000,"clock":{"base":null,"increment":0,"per_move":null},"created":1000,"game":"tictactoe","who":["human","rule"]},"touched":1000,"wishes":[]}','cf3b3bb873e062c3e1c05251c04c2fe87464a306a0df65607bc263e709f17287');
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
CREATE TABLE tournament_games (
    tournament_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    game_id INTEGER NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (tournament_id, number),
    FOREIGN KEY(tournament_id) REFERENCES tournaments (id),
    FOREIGN KEY(game_id) REFERENCES games (id)
) WITHOUT ROWID;
INSERT INTO "tournament_games" VALUES(1,2,8,'962fe7ddf5f656301d250db1a0cc6a2c254d1daaf405d3afeb8c9460432cd9a1');
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
CREATE INDEX rooms_due ON rooms (due);
CREATE UNIQUE INDEX rooms_code ON rooms (code);
CREATE UNIQUE INDEX tournaments_name ON tournaments (name);
COMMIT;
