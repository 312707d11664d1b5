// Made by docs/make_types.py, not to be changed by hand.

declare namespace Api {
  interface ActionMessage {
    number: number;
    at: number;
    decision: string;
    sentence: string;
    note: string;
  }

  interface AnnotationSign {
    sign: string;
    data: string;
  }

  interface AnnotationsMessage {
    cells: Record<string, string[]>;
    fields: Record<string, string[]>;
    sides: Record<string, string[]>;
    lines: string[][];
  }

  interface AnswerRequest {
    nonce: string;
    signature: string;
    key: string;
    is_approved: boolean;
  }

  interface AskToBeAdded {
    nonce: string;
    signature: string;
    key: string;
    label: string;
  }

  interface AskingDevice {
    label: string;
    key: string;
  }

  interface AttemptMessage {
    verdict: "right" | "solved" | "wrong" | "unknown" | null;
    sentence: string;
    moves: string[];
    answers: NamedMove[];
    made: number;
    left: number;
    is_solved: boolean;
    position: PositionMessage;
    mark: string | null;
    legal: LegalMoveMessage[];
  }

  interface AttemptRequest {
    moves: string[];
  }

  interface BanMessage {
    since: number;
    ends: number | null;
    scope: "all" | "rated";
    is_by_operator: boolean;
  }

  interface BlockRequest {
    identity: number;
    is_blocked?: boolean;
  }

  interface BlockedPlayer {
    number: number;
    name: string | null;
    created: number;
  }

  interface BlockedPlayers {
    blocked: BlockedPlayer[];
  }

  interface BoardArrangement {
    size: [number, number];
    origins: [number, number][];
    labels: [number, number, number, number, string, string, boolean][];
  }

  interface BoardChange {
    changed: Record<string, string | null>;
    last: number[];
    annotations: AnnotationsMessage;
  }

  interface BoardCount {
    count: number;
    label: string;
  }

  interface BoardMessage {
    size: [number, number];
    views: BoardArrangement[];
    planes: BoardPlane[];
    tiling: TilingMessage;
    centres: [number, number][];
    names: string[];
    steps: Record<string, number[]>;
    thin: string;
    pen: string;
    squares: [number, number];
    labels: [number, number, number, number, string, string, boolean][];
    stars: number[];
    fields: [number, number, number, number][];
    wraps: boolean[];
    drops: number;
    codes: Record<string, AnnotationSign>;
  }

  interface BoardNumber {
    name: string;
    label: string;
    value: number;
    text: string;
    less: string | null;
    more: string | null;
  }

  interface BoardPlane {
    label: string;
    origin: [number, number];
    floor: string;
  }

  interface BoardSwitch {
    name: string;
    label: string;
    about: string;
    is_on: boolean;
    spec: string | null;
  }

  interface CaseMessage {
    identity: number;
    name: string;
    evidence: ReportEvidence[];
    conduct: Record<string, number>;
    rated_games: number;
    bans: BanMessage[];
    history: ActionMessage[];
  }

  interface CaseQueue {
    cases: CaseSummary[];
    titles: TitleCase[];
  }

  interface CaseSummary {
    identity: number;
    name: string;
    reason: "leaving" | "losing" | "computer" | "name" | "names" | "other" | "tournament";
    reports: number;
    oldest: number;
    newest: number;
  }

  interface CatalogueEntry {
    name: string;
    title: string;
    about: string;
    rules: string;
    known: string;
    shape: number[];
    layout: Layout;
    has_lines: boolean;
    openings: string[];
    sides: string[];
    computers: string[];
    cautions: Record<string, string>;
    tag: string;
    spec: string | null;
    shelf: string;
    rank: number;
  }

  interface ChallengeRequest {
    games: string[];
    clocks: (LiveGameClock | LiveMoveClock | DaysGameClock | DaysMoveClock)[];
    name: string;
    rated?: boolean;
    lowest?: number | null;
    highest?: number | null;
    visibility?: "link" | "public";
    strength?: number | null;
    lasts?: boolean;
    to: string;
  }

  interface ChooseCommand {
    type: "choose";
    mark: string;
  }

  interface ClockMessage {
    per_move: number | null;
    base: number | null;
    increment: number;
    left: Record<string, number>;
    running: string | null;
    paused_until: number | null;
    at: number;
  }

  interface CommandRequest {
    version: number;
    key: string;
    command: MoveCommand | PutCommand | TakeBackCommand | ChooseCommand | ShareCommand | SayCommand | StopClocksCommand | PrepareCommand | PlainCommand;
  }

  interface CommandResult {
    version: number;
    state: RoomState;
  }

  interface ComputerList {
    players: ComputerMessage[];
  }

  interface ComputerMessage {
    name: string;
    title: string;
    about: string;
  }

  interface CorrectCommand {
    type: "correct";
    pairing: number;
    result: "1-0" | "draw" | "0-1";
  }

  interface CustomBoard {
    name: string;
    title: string;
    about: string;
    rules: string;
    known: string;
    shape: number[];
    layout: Layout;
    has_lines: boolean;
    openings: string[];
    sides: string[];
    computers: string[];
    cautions: Record<string, string>;
    spec: string;
    tag: string;
    steps: BoardNumber[];
    switches: BoardSwitch[];
    counts: BoardCount[];
    is_estimated: boolean;
  }

  interface DaysGameClock {
    base: number;
    increment?: number;
  }

  interface DaysMoveClock {
    per_move: number;
  }

  interface DecisionRequest {
    nonce: string;
    signature: string;
    decision: "nothing" | "warn" | "no-rated" | "undo-ratings" | "new-name" | "ban";
    note?: string;
  }

  interface DeviceList {
    devices: DeviceMessage[];
  }

  interface DeviceMessage {
    number: number;
    label: string;
    created: number;
    seen: number;
  }

  interface DeviceOfRequest {
    key: string;
    label: string;
    signature: string;
  }

  interface Done {
  }

  interface EmptyRequest {
  }

  interface EndCommand {
    type: "end";
  }

  interface EnterRequest {
    name: string;
    key?: string | null;
  }

  interface EnteredTournament {
    number: number;
    name: string;
    token: string;
  }

  interface EntryChange {
    name?: string | null;
    state?: "in" | "resting" | "removed" | null;
  }

  interface ErrorDetail {
    code: "asked-guest" | "body-too-large" | "body-too-slow" | "command-refused" | "coordinate-error" | "damaged-store" | "extra-missing" | "failed" | "floating-cell" | "forbidden-move" | "foreign-host" | "foreign-origin" | "from-a-position" | "game-broken" | "game-goes-on" | "game-over" | "game-too-long" | "illegal-move" | "invalid" | "key-refused" | "name-refused" | "no-key" | "no-lines" | "no-seat" | "no-such-cell" | "no-such-format" | "no-such-method" | "no-such-path" | "no-such-ply" | "no-such-seat" | "no-visitor" | "not-a-bot" | "not-found" | "not-json" | "not-organiser" | "not-rated" | "not-your-seat" | "notation-error" | "occupied-cell" | "offer-gone" | "offer-refused" | "out-of-turn" | "pause-refused" | "player-at-fault" | "player-failed" | "plays-alone" | "rules-error" | "seat-taken" | "server-busy" | "server-full" | "shape-error" | "stale" | "stale-version" | "store-error" | "thinking-busy" | "thinking-failed" | "thinking-for-you" | "too-many-offers" | "too-many-rooms" | "too-many-streams" | "too-often" | "two-sides-only" | "unknown-game" | "unknown-mark" | "unknown-opening" | "unreadable" | "unsupported-rules" | "unusable-game";
    sentence: string;
  }

  interface ErrorResponse {
    error: ErrorDetail;
  }

  interface ExploredMessage {
    ply: number;
    turn: string | null;
    cells: (string | null)[];
    last: number[];
    lines: number[][];
    annotations: AnnotationsMessage;
    game: GameMessage;
    mark: string | null;
    legal: LegalMoveMessage[];
    moves: MoveMessage[];
    position: string;
    winner: string | null;
    sentences: string[];
    computers: string[];
  }

  interface FinalRequest {
    nonce: string;
    signature: string;
    name: string;
  }

  interface FollowRequest {
    secret: string;
  }

  interface GameAnalysisRequest {
    ply?: number | null;
    seconds?: number;
    game: number;
    key?: string | null;
  }

  interface GameAndSpeed {
    game: string;
    title: string;
    speed: "live" | "days";
  }

  interface GameCatalogue {
    games: CatalogueEntry[];
    languages: Record<string, string>;
  }

  interface GameGone {
    room: string;
  }

  interface GameMessage {
    name: string;
    title: string;
    about: string;
    rules: string;
    known: string;
    shape: number[];
    layout: Layout;
    has_lines: boolean;
    openings: string[];
    sides: string[];
  }

  interface GamePlayer {
    side: string;
    name: string;
    identity: number | null;
    kind: string | null;
  }

  interface GamePuzzles {
    name: string;
    title: string;
    puzzles: GradedPuzzle[];
  }

  interface GameRating {
    rating: number;
    deviation: number;
    is_provisional: boolean;
    games: number;
    wins: number;
    draws: number;
    losses: number;
    game: string;
    title: string;
    speed: "live" | "days";
    last: number[];
  }

  interface GamesChange {
    rooms: string[];
    is_new: boolean;
  }

  interface GiveBackRequest {
    room: string;
  }

  interface GradedPuzzle {
    id: number;
    kind: "win" | "save";
    grade: number;
  }

  interface HintRequest {
    moves: string[];
    step?: number;
    refuted?: string[];
  }

  interface HistoryEntry {
    id: number;
    title: string;
    created: number;
    players: GamePlayer[];
    plies: number;
    winner: string | null;
    termination: string | null;
    reason: string | null;
    ended: string;
    visibility: "link" | "public";
    link: string;
    game: string;
  }

  interface HistoryPage {
    games: HistoryEntry[];
    before: number | null;
    damaged: number;
  }

  interface IdentityMessage {
    number: number;
    name: string | null;
    created: number;
    can_rename_at: number;
    words_checked: number | null;
    asked_by: "everybody" | "played" | "nobody";
    is_bot: boolean;
  }

  interface InboxMessage {
    notes: NoteMessage[];
    new: number;
  }

  interface JoinByCode {
    code: string;
    name: string;
    key?: string | null;
  }

  interface JoinByRoom {
    room: string;
    name: string;
    key?: string | null;
  }

  interface JoinedRoom {
    room: string;
    place: number | null;
    token: string;
    code?: string | null;
    state: RoomState;
  }

  interface Layout {
    planes: number;
    rows: number;
    columns: number;
    gravity: boolean;
    fields: [number, number];
    tiles: boolean;
    drops: boolean;
    ruled: boolean;
    owned: boolean;
    from_top: boolean;
    hex: boolean;
  }

  interface LegalMoveMessage {
    move: string;
    cell: number | null;
    parts: (number | string)[];
    mark?: string | null;
  }

  interface LineAnalysisRequest {
    game: string;
    position?: string | null;
    moves?: string[];
    seconds?: number;
  }

  interface LineRequest {
    game: string;
    position?: string | null;
    moves?: string[];
  }

  interface LinesMessage {
    cell: number;
    count: number;
    open_count: number;
    open: number[];
    closed: number[];
    open_lines: number[][];
    closed_lines: number[][];
  }

  interface LiveGameClock {
    base: number;
    increment?: number;
  }

  interface LiveMoveClock {
    per_move: number;
  }

  interface LobbyChanges {
    new: LobbyOfferMessage[];
    gone: OfferEnd[];
    waiting: number;
    people: number | null;
  }

  interface LobbyOfferMessage {
    number: number;
    name: string;
    identity: number | null;
    is_bot: boolean;
    strength: number | null;
    ratings: Record<string, number>;
    provisional: string[];
    games: OfferedGame[];
    clocks: OfferedClock[];
    rated: boolean;
    lowest: number | null;
    highest: number | null;
    visibility: "link" | "public";
    state: string;
    since: number;
    expires: number | null;
    to: string | null;
    lasts: boolean;
  }

  interface LobbyState {
    offers: LobbyOfferMessage[];
    waiting: number;
    people: number | null;
  }

  interface MoveCommand {
    type: "move";
    move: string;
  }

  interface MoveMessage {
    move: string;
    name: string;
    side: string;
    ply: number;
    cell: number | null;
  }

  interface MoveSeat {
  }

  interface MoveValueMessage {
    move: string;
    cell: number | null;
    parts: (number | string)[];
    mark?: string | null;
    value: "win" | "draw" | "loss" | "unknown";
    plies: number | null;
    name: string;
    label: string;
    reason: string | null;
  }

  interface NameMessage {
    name: string;
    is_free: boolean;
    sentence: string;
  }

  interface NamedMove {
    move: string;
    name: string;
    side: string;
  }

  interface NewWords {
    nonce: string;
    signature: string;
    key: string;
    words_signature: string;
  }

  interface NonceMessage {
    nonce: string;
  }

  interface NoteMessage {
    kind: "challenge" | "turn" | "ended" | "reminder" | "began" | "tournament";
    at: number;
    sentence: string;
    about: string;
    link: string;
    is_new: boolean;
  }

  interface OembedMessage {
    version: "1.0";
    type: "rich";
    title: string;
    provider_name: string;
    provider_url: string;
    cache_age: number;
    html: string;
    width: number;
    height: number;
    thumbnail_url?: string | null;
    thumbnail_width?: number | null;
    thumbnail_height?: number | null;
  }

  interface OfferEnd {
    number: number;
    state: string;
  }

  interface OfferMessage {
    side: string;
    what: "draw" | "takeback";
    plies: number;
  }

  interface OfferRequest {
    games: string[];
    clocks: (LiveGameClock | LiveMoveClock | DaysGameClock | DaysMoveClock)[];
    name: string;
    rated?: boolean;
    lowest?: number | null;
    highest?: number | null;
    visibility?: "link" | "public";
    strength?: number | null;
    lasts?: boolean;
  }

  interface OfferTaken {
    room: string;
  }

  interface OfferedClock {
    base: number | null;
    increment: number;
    per_move: number | null;
  }

  interface OfferedGame {
    name: string;
    title: string;
  }

  interface OpenEntryCommand {
    type: "entry";
    is_open: boolean;
  }

  interface OpenRoomRequest {
    game: string;
    opponent?: string;
    computers?: string[];
    name?: string;
    place?: number;
    begins?: "chooser" | "alternate" | "loser" | "x";
    clock?: WholeGameClock | PerMoveClock | null;
    opening?: "none" | "pie" | "swap2" | null;
    moves?: string[];
    position?: string | null;
    visibility?: "link" | "public";
    counts?: boolean;
    rated?: boolean;
    key?: string | null;
  }

  interface OpenTournamentRequest {
    title?: string;
    game: string;
    system?: "swiss" | "arena" | "knockout";
    rounds?: number;
    minutes?: number;
    clock?: WholeGameClock | PerMoveClock;
    opening?: "none" | "pie" | "swap2" | null;
    computer?: string;
    starts?: number | null;
    visibility?: "link" | "public";
    key?: string | null;
  }

  interface OpenedTournament {
    code: string;
    token: string;
    link: string;
    organiser_link: string;
  }

  interface OpeningMessage {
    protocol: string;
    place: number | null;
    placing: number;
    mark: string;
    answers: ("swap" | "put")[];
    is_swapped: boolean;
    sentences: string[];
  }

  interface OperatorLog {
    actions: ActionMessage[];
    before: number | null;
  }

  interface OpponentMessage {
    identity: number | null;
    name: string;
    wins: number;
    draws: number;
    losses: number;
  }

  interface OrganiserRequest {
    command: StartCommand | PauseCommand | ResumeCommand | EndCommand | OpenEntryCommand | CorrectCommand;
  }

  interface OwnOffers {
    identity: number | null;
    offer: LobbyOfferMessage | null;
    challenge: LobbyOfferMessage | null;
    asked: LobbyOfferMessage[];
    room: string | null;
  }

  interface OwnReport {
    number: number;
    created: number;
    identity: number | null;
    name: string;
    reason: "leaving" | "losing" | "computer" | "name" | "names" | "other" | "tournament";
    game: number | null;
    is_decided: boolean;
  }

  interface OwnReports {
    reports: OwnReport[];
    bans: BanMessage[];
    decisions: string[];
  }

  interface OwnRooms {
    rooms: RoomSummary[];
    visits: string[];
    offers: LobbyOfferMessage[];
    pause: PauseMessage | null;
  }

  interface PairingMessage {
    number: number;
    round: number;
    table: number;
    first: number;
    second: number;
    points: [number, number] | null;
    has_begun: boolean;
    is_corrected: boolean;
    room: string;
  }

  interface PauseCommand {
    type: "pause";
  }

  interface PauseMessage {
    begun: number;
    ends: number;
    another: number;
  }

  interface PauseRequest {
    days: number;
  }

  interface PeopleResults {
    code: string;
    title: string;
    is_over: boolean;
    players: PlayerOfTournament[];
    table: TableRowMessage[];
    pairings: PairingMessage[];
  }

  interface PeopleState {
    code: string;
    version: number;
    title: string;
    game: string;
    game_title: string;
    system: "swiss" | "arena" | "knockout";
    phase: "open" | "playing" | "over";
    is_paused: boolean;
    may_enter: boolean;
    round: number;
    rounds: number;
    starts: number | null;
    ends: number | null;
    now: number;
    you: number | null;
    is_organiser: boolean;
    players: PlayerOfTournament[];
    pairings: PairingMessage[];
  }

  interface PerMoveClock {
    per_move: number;
  }

  interface PhraseMessage {
    place: number;
    phrase: string;
    sentence: string;
    at: number;
  }

  interface PlainCommand {
    type: "resign" | "abort" | "offer-draw" | "accept" | "decline" | "claim" | "rematch" | "leave" | "swap";
  }

  interface PlainRequest {
  }

  interface PlayableGame {
    name: string;
    title: string;
    about: string;
    rules: string;
    known: string;
    shape: number[];
    layout: Layout;
    has_lines: boolean;
    openings: string[];
    sides: string[];
    computers: string[];
    cautions: Record<string, string>;
  }

  interface PlayerMessage {
    place: number;
    name: string | null;
    identity: number | null;
    kind: string;
    side: string | null;
    here: boolean;
    you: boolean;
    rating: number | null;
    deviation: number | null;
    is_provisional: boolean;
    rating_change: number | null;
  }

  interface PlayerOfTournament {
    number: number;
    name: string;
    state: "in" | "resting" | "removed";
    since: number;
  }

  interface PositionMessage {
    ply: number;
    turn: string | null;
    cells: (string | null)[];
    last: number[];
    lines: number[][];
    annotations: AnnotationsMessage;
  }

  interface PositionValueMessage {
    value: "win" | "draw" | "loss" | "unknown";
    plies: number | null;
    ply: number;
    turn: string | null;
    best: string | null;
    sentence: string | null;
    moves: MoveValueMessage[];
  }

  interface PrepareCommand {
    type: "prepare";
    lines: string[][];
  }

  interface PublicTournament {
    code: string;
    link: string;
    title: string;
    game: string;
    system: "swiss" | "arena" | "knockout";
    phase: "open" | "playing" | "over";
    players: number;
    may_enter: boolean;
    starts: number | null;
  }

  interface PublicTournaments {
    tournaments: PublicTournament[];
  }

  interface PushKey {
    key: string;
    endpoint: string | null;
  }

  interface PutCommand {
    type: "put";
    moves?: string[];
  }

  interface PuzzleHint {
    sentence: string;
    cell: number | null;
  }

  interface PuzzleList {
    daily: number;
    games: GamePuzzles[];
  }

  interface PuzzleMessage {
    id: number;
    game: string;
    position: string;
    side: string;
    kind: "win" | "save";
    grade: number;
  }

  interface PuzzlePage {
    id: number;
    game: string;
    position: string;
    side: string;
    kind: "win" | "save";
    grade: number;
    title: string;
    task: string;
    drawn: GameMessage;
    attempt: AttemptMessage;
  }

  interface PuzzleSolution {
    sentence: string;
    moves: NamedMove[];
    position: PositionMessage;
  }

  interface RankedPerson {
    rating: number;
    deviation: number;
    is_provisional: boolean;
    games: number;
    wins: number;
    draws: number;
    losses: number;
    identity: number;
    name: string;
  }

  interface RatedGameMessage {
    game: string;
    title: string;
    speed: "live" | "days";
    id: number;
    link: string;
    at: number;
    players: RatedPlayerMessage[];
    winner: string | null;
    ended: string;
    plies: number;
    before: number;
    after: number;
  }

  interface RatedPerson {
    identity: number;
    name: string;
    is_bot: boolean;
    created: number;
    ratings: GameRating[];
    shown: GameAndSpeed | null;
    history: RatingPoint[];
    games: RatedGameMessage[];
    opponents: OpponentMessage[];
    before: number | null;
  }

  interface RatedPlayerMessage {
    side: string;
    name: string;
    identity: number | null;
  }

  interface RatingList {
    game: string;
    title: string;
    speed: "live" | "days";
    players: RankedPerson[];
  }

  interface RatingLists {
    lists: RatingList[];
  }

  interface RatingPoint {
    at: number;
    rating: number;
    deviation: number;
  }

  interface ReadRequest {
    until: number;
  }

  interface RegisterRequest {
    nonce: string;
    signature: string;
    name: string;
    key: string;
    device: DeviceOfRequest;
    is_bot?: boolean;
  }

  interface RemoveDevices {
    nonce: string;
    signature: string;
    devices: number[];
  }

  interface RenameRequest {
    nonce: string;
    signature: string;
    name: string;
  }

  interface Replay {
    id: number;
    title: string;
    created: number;
    players: GamePlayer[];
    plies: number;
    winner: string | null;
    termination: string | null;
    reason: string | null;
    ended: string;
    visibility: "link" | "public";
    link: string;
    game: GameMessage;
    start: string | null;
    moves: MoveMessage[];
    boards: BoardChange[];
    lines: number[][];
    sentences: string[];
    tournament: number | null;
  }

  interface ReportEvidence {
    number: number;
    created: number;
    reporter: string;
    reason: "leaving" | "losing" | "computer" | "name" | "names" | "other" | "tournament";
    game: number | null;
    sentence: string;
    moves: string[];
  }

  interface ReportRequest {
    identity: number;
    reason: "leaving" | "losing" | "computer" | "name" | "names" | "other";
    game?: number | null;
  }

  interface ReportSent {
    number: number;
  }

  interface RequestState {
    state: "waiting" | "added" | "refused";
  }

  interface RestoreRequest {
    nonce: string;
    signature: string;
    key: string;
    device: DeviceOfRequest;
  }

  interface ResultMessage {
    winner: string | null;
    termination: string;
    reason: string | null;
    sentences: string[];
  }

  interface ResumeCommand {
    type: "resume";
  }

  interface ReviewLineMove {
    changed: Record<string, string | null>;
    last: number[];
    annotations: AnnotationsMessage;
    move: string;
    name: string;
    side: string;
    cell: number | null;
    lines: number[][];
  }

  interface ReviewMessage {
    waiting: number;
    values: (number | null)[] | null;
    guessed: number[];
    moves: ReviewedMoveMessage[];
    accuracy: Record<string, number | null>;
    remarks: string[];
  }

  interface ReviewedMoveMessage {
    ply: number;
    before: "win" | "draw" | "loss" | "unknown";
    after: "win" | "draw" | "loss" | "unknown";
    changed: boolean;
    missed: boolean;
    sentence: string | null;
    leads_to: string | null;
    better_leads_to: string | null;
    line: ReviewLineMove[];
  }

  interface RoomAnalysisRequest {
    ply?: number | null;
    seconds?: number;
    tokens?: string[];
  }

  interface RoomState {
    ply: number;
    turn: string | null;
    cells: (string | null)[];
    last: number[];
    lines: number[][];
    annotations: AnnotationsMessage;
    room: string;
    version: number;
    phase: "waiting" | "choosing" | "playing" | "over" | "closed";
    game: GameMessage;
    mark: string | null;
    start: string | null;
    offer: OfferMessage | null;
    unproved: boolean;
    opening: OpeningMessage | null;
    wishes: number[];
    result: ResultMessage | null;
    series: SeriesMessage;
    protocol: string | null;
    needs_choice: boolean;
    chooser: number | null;
    game_id: number | null;
    game_link: string | null;
    visibility: "link" | "public";
    claim_at: number | null;
    first_move_at: number | null;
    counts: boolean;
    rated: boolean;
    unaided: boolean;
    link: string;
    said: PhraseMessage[];
    players: PlayerMessage[];
    you: number | null;
    unrated: string | null;
    code: string | null;
    expires: number | null;
    may_abort: boolean;
    phrases: string[];
    prepared: NamedMove[][];
    clock: ClockMessage | null;
    now: number;
    spectators: number;
    delay: number;
    moves: MoveMessage[];
    legal: LegalMoveMessage[];
  }

  interface RoomSummary {
    room: string;
    version: number;
    phase: "waiting" | "choosing" | "playing" | "over" | "closed";
    is_called_off: boolean;
    game: string;
    title: string;
    others: string[];
    rating: number | null;
    is_provisional: boolean;
    free: number;
    turn: string | null;
    is_your_turn: boolean;
    prepared: number;
    is_practice: boolean;
    rated: boolean;
    clock: ClockMessage | null;
    left: number | null;
    board: SmallBoard | null;
  }

  interface SayCommand {
    type: "say";
    phrase: string;
  }

  interface ScoreMessage {
    name: string;
    wins: number;
    draws: number;
    losses: number;
    points: number;
  }

  interface ScoreRow {
    name: string;
    wins: number;
    draws: number;
    losses: number;
    points: number;
    longest_streak: number;
    called: string;
  }

  interface Scoreboard {
    players: ScoreRow[];
    damaged: number;
  }

  interface SeatOfRound {
    room: string;
    place: number;
    token: string;
    game: string;
  }

  interface SecretRequest {
    token: string;
  }

  interface SeriesMessage {
    number: number;
    scores: ScoreMessage[];
  }

  interface SessionMessage {
    identity: IdentityMessage | null;
    device: number | null;
  }

  interface ShareCommand {
    type: "share";
    game?: number | null;
  }

  interface SignInRequest {
    nonce: string;
    signature: string;
    key: string;
  }

  interface SignedRequest {
    nonce: string;
    signature: string;
  }

  interface SmallBoard {
    ply: number;
    turn: string | null;
    cells: (string | null)[];
    last: number[];
    lines: number[][];
    annotations: AnnotationsMessage;
    shape: number[];
    layout: Layout;
    sides: string[];
  }

  interface StaleErrorResponse {
    error: ErrorDetail;
    state?: RoomState | null;
  }

  interface StartCommand {
    type: "start";
  }

  interface StopClocksCommand {
    type: "pause";
    days: number;
  }

  interface StoredData {
    identity: Record<string, string | number | boolean | null>;
    devices: (Record<string, string | number>)[];
    sessions: (Record<string, string | number>)[];
    blocks: (Record<string, string | number>)[];
    games: number[];
    rooms: string[];
    pauses: (Record<string, string | number>)[];
    reports: (Record<string, string | number | null>)[];
    bans: (Record<string, string | number | null>)[];
    conduct: (Record<string, string | number>)[];
    decisions: (Record<string, string | number>)[];
    inbox: (Record<string, string | number | boolean>)[];
    calls: (Record<string, string | number>)[];
  }

  interface SubscribeRequest {
    nonce: string;
    signature: string;
    endpoint: string;
    key: string;
    auth: string;
  }

  interface TableRowMessage {
    place: number;
    number: number;
    points: number;
    opponents: number;
    beaten: number;
    wins: number;
    draws: number;
    losses: number;
    rounds: (number | null)[];
  }

  interface TakeBackCommand {
    type: "take-back";
    plies?: number | null;
  }

  interface TakeOfferRequest {
    name: string;
    game?: string | null;
    clock?: LiveGameClock | LiveMoveClock | DaysGameClock | DaysMoveClock | null;
    visibility?: "link" | "public";
  }

  interface TilingMessage {
    across: [number, number];
    down: [number, number];
    corners: [number, number][];
  }

  interface TitleCase {
    code: string;
    title: string;
    is_public: boolean;
    reports: number;
    oldest: number | null;
    reporters: string[];
    history: ActionMessage[];
  }

  interface TitleDecisionRequest {
    nonce: string;
    signature: string;
    decision: "nothing" | "unlist" | "retitle";
    title?: string;
    note?: string;
  }

  interface WaitingDevice {
    code: string;
    secret: string;
    expires: number;
  }

  interface WallChanges {
    featured: string | null;
    order: string[];
    new: WatchedGame[];
    changed: WatchedChange[];
    playing: number;
  }

  interface WallState {
    featured: string | null;
    games: WatchedGame[];
    playing: number;
  }

  interface WatchedChange {
    room: string;
    version: number;
    clock: ClockMessage | null;
    result: ResultMessage | null;
    spectators: number;
    delay: number;
    changed: Record<string, string | null>;
    last: number[];
    annotations: AnnotationsMessage;
    ply: number;
    turn: string | null;
    lines: number[][];
  }

  interface WatchedGame {
    room: string;
    version: number;
    clock: ClockMessage | null;
    result: ResultMessage | null;
    spectators: number;
    delay: number;
    ply: number;
    turn: string | null;
    cells: (string | null)[];
    last: number[];
    lines: number[][];
    annotations: AnnotationsMessage;
    link: string;
    game_id: number | null;
    game: GameMessage;
    players: WatchedPlayer[];
    rated: boolean;
  }

  interface WatchedPlayer {
    side: string;
    name: string;
    identity: number | null;
    kind: string | null;
    rating: number | null;
    is_provisional: boolean;
  }

  interface WholeGameClock {
    base: number;
    increment?: number;
  }

  interface WishesRequest {
    asked_by: "everybody" | "played" | "nobody";
  }

  /** The function that asks a route for JSON. */
  interface Ask {
    (path: `/api/identities/me/requests/${string}/answer`, body: AnswerRequest, token?: string | null): Promise<Done>;
    (path: `/api/tournaments/${string}/entries/${string}/token`, body: EmptyRequest, token?: string | null): Promise<EnteredTournament>;
    (path: `/api/identities/me/devices/remove`, body: RemoveDevices, token?: string | null): Promise<Done>;
    (path: `/api/identities/me/words/checked`, body: PlainRequest, token?: string | null): Promise<SessionMessage>;
    (path: `/api/identities/me/requests/${string}`, body?: undefined, token?: string | null): Promise<AskingDevice>;
    (path: `/api/reports/cases/${string}/decision`, body: DecisionRequest, token?: string | null): Promise<ActionMessage>;
    (path: `/api/reports/titles/${string}/decision`, body: TitleDecisionRequest, token?: string | null): Promise<ActionMessage>;
    (path: `/api/rooms/${string}/lines/${string}` | `/api/rooms/${string}/lines/${string}?${string}`, body?: undefined, token?: string | null): Promise<LinesMessage>;
    (path: `/api/rooms/${string}/plies/${string}`, body?: undefined, token?: string | null): Promise<PositionMessage>;
    (path: `/api/tournaments/${string}/entries/${string}`, body: EntryChange, token?: string | null): Promise<PeopleState>;
    (path: `/api/identities/me/block`, body: BlockRequest, token?: string | null): Promise<Done>;
    (path: `/api/identities/me/blocks`, body?: undefined, token?: string | null): Promise<BlockedPlayers>;
    (path: `/api/identities/me/bot`, body: FinalRequest, token?: string | null): Promise<SessionMessage>;
    (path: `/api/identities/me/devices`, body?: undefined, token?: string | null): Promise<DeviceList>;
    (path: `/api/identities/me/export`, body: SignedRequest, token?: string | null): Promise<StoredData>;
    (path: `/api/identities/me/forget`, body: FinalRequest, token?: string | null): Promise<Done>;
    (path: `/api/identities/me/name`, body: RenameRequest, token?: string | null): Promise<SessionMessage>;
    (path: `/api/identities/me/wishes`, body: WishesRequest, token?: string | null): Promise<SessionMessage>;
    (path: `/api/identities/me/words`, body: NewWords, token?: string | null): Promise<SessionMessage>;
    (path: `/api/identities/requests/state`, body: FollowRequest, token?: string | null): Promise<RequestState>;
    (path: `/api/challenges/${string}/decline`, body: TakeOfferRequest, token?: string | null): Promise<OwnOffers>;
    (path: `/api/explore/lines/${string}`, body: LineRequest, token?: string | null): Promise<LinesMessage>;
    (path: `/api/offers/${string}/join`, body: TakeOfferRequest, token?: string | null): Promise<OfferTaken>;
    (path: `/api/offers/${string}/withdraw`, body?: undefined, token?: string | null): Promise<OwnOffers>;
    (path: `/api/puzzles/${string}/hint`, body: HintRequest, token?: string | null): Promise<PuzzleHint>;
    (path: `/api/puzzles/${string}/solution`, body: AttemptRequest, token?: string | null): Promise<PuzzleSolution>;
    (path: `/api/puzzles/${string}/tries`, body: AttemptRequest, token?: string | null): Promise<AttemptMessage>;
    (path: `/api/reports/cases/${string}`, body?: undefined, token?: string | null): Promise<CaseMessage>;
    (path: `/api/rooms/${string}/analyse`, body: RoomAnalysisRequest, token?: string | null): Promise<PositionValueMessage>;
    (path: `/api/rooms/${string}/brief`, body?: undefined, token?: string | null): Promise<RoomSummary>;
    (path: `/api/rooms/${string}/commands`, body: CommandRequest, token?: string | null): Promise<CommandResult>;
    (path: `/api/rooms/${string}/seat`, body: MoveSeat, token?: string | null): Promise<JoinedRoom>;
    (path: `/api/tournaments/${string}/commands`, body: OrganiserRequest, token?: string | null): Promise<PeopleState>;
    (path: `/api/tournaments/${string}/entries`, body: EnterRequest, token?: string | null): Promise<EnteredTournament>;
    (path: `/api/tournaments/${string}/late`, body: EnterRequest, token?: string | null): Promise<EnteredTournament>;
    (path: `/api/tournaments/${string}/report`, body: EmptyRequest, token?: string | null): Promise<ReportSent>;
    (path: `/api/tournaments/${string}/results`, body?: undefined, token?: string | null): Promise<PeopleResults>;
    (path: `/api/tournaments/${string}/seat`, body: EmptyRequest, token?: string | null): Promise<SeatOfRound>;
    (path: `/api/tournaments/${string}/token`, body: SecretRequest, token?: string | null): Promise<PeopleState>;
    (path: `/api/identities/devices`, body: RestoreRequest, token?: string | null): Promise<SessionMessage>;
    (path: `/api/identities/me`, body?: undefined, token?: string | null): Promise<SessionMessage>;
    (path: `/api/identities/names` | `/api/identities/names?${string}`, body?: undefined, token?: string | null): Promise<NameMessage>;
    (path: `/api/identities/nonce`, body?: undefined, token?: string | null): Promise<NonceMessage>;
    (path: `/api/identities/requests`, body: AskToBeAdded, token?: string | null): Promise<WaitingDevice>;
    (path: `/api/identities/session`, body: SignInRequest, token?: string | null): Promise<SessionMessage>;
    (path: `/api/identities/sign-out`, body: PlainRequest, token?: string | null): Promise<Done>;
    (path: `/api/inbox/read`, body: ReadRequest, token?: string | null): Promise<InboxMessage>;
    (path: `/api/offers/back`, body: GiveBackRequest, token?: string | null): Promise<OwnOffers>;
    (path: `/api/push/remove`, body: PlainRequest, token?: string | null): Promise<Done>;
    (path: `/api/puzzles/daily`, body?: undefined, token?: string | null): Promise<PuzzleMessage>;
    (path: `/api/reports/cases`, body?: undefined, token?: string | null): Promise<CaseQueue>;
    (path: `/api/reports/log` | `/api/reports/log?${string}`, body?: undefined, token?: string | null): Promise<OperatorLog>;
    (path: `/api/games/${string}` | `/api/games/${string}?${string}`, body?: undefined, token?: string | null): Promise<Replay>;
    (path: `/api/join/${string}`, body?: undefined, token?: string | null): Promise<RoomState>;
    (path: `/api/puzzles/${string}`, body?: undefined, token?: string | null): Promise<PuzzlePage>;
    (path: `/api/ratings/${string}` | `/api/ratings/${string}?${string}`, body?: undefined, token?: string | null): Promise<RatedPerson>;
    (path: `/api/rooms/${string}`, body?: undefined, token?: string | null): Promise<RoomState>;
    (path: `/api/tournaments/${string}`, body?: undefined, token?: string | null): Promise<PeopleState>;
    (path: `/api/analyse`, body: GameAnalysisRequest | LineAnalysisRequest, token?: string | null): Promise<PositionValueMessage>;
    (path: `/api/board` | `/api/board?${string}`, body?: undefined, token?: string | null): Promise<BoardMessage>;
    (path: `/api/build` | `/api/build?${string}`, body?: undefined, token?: string | null): Promise<CustomBoard>;
    (path: `/api/catalogue`, body?: undefined, token?: string | null): Promise<GameCatalogue>;
    (path: `/api/challenges`, body: ChallengeRequest, token?: string | null): Promise<LobbyOfferMessage>;
    (path: `/api/explore`, body: LineRequest, token?: string | null): Promise<ExploredMessage>;
    (path: `/api/games` | `/api/games?${string}`, body?: undefined, token?: string | null): Promise<HistoryPage>;
    (path: `/api/identities`, body: RegisterRequest, token?: string | null): Promise<SessionMessage>;
    (path: `/api/inbox`, body?: undefined, token?: string | null): Promise<InboxMessage>;
    (path: `/api/join`, body: JoinByCode | JoinByRoom, token?: string | null): Promise<JoinedRoom>;
    (path: `/api/oembed` | `/api/oembed?${string}`, body?: undefined, token?: string | null): Promise<OembedMessage>;
    (path: `/api/offers`, body?: undefined, token?: string | null): Promise<LobbyState>;
    (path: `/api/offers`, body: OfferRequest, token?: string | null): Promise<LobbyOfferMessage>;
    (path: `/api/pause`, body: PauseRequest, token?: string | null): Promise<PauseMessage>;
    (path: `/api/players`, body?: undefined, token?: string | null): Promise<ComputerList>;
    (path: `/api/push`, body?: undefined, token?: string | null): Promise<PushKey>;
    (path: `/api/push`, body: SubscribeRequest, token?: string | null): Promise<Done>;
    (path: `/api/puzzles`, body?: undefined, token?: string | null): Promise<PuzzleList>;
    (path: `/api/ratings` | `/api/ratings?${string}`, body?: undefined, token?: string | null): Promise<RatingLists>;
    (path: `/api/reports`, body?: undefined, token?: string | null): Promise<OwnReports>;
    (path: `/api/reports`, body: ReportRequest, token?: string | null): Promise<ReportSent>;
    (path: `/api/rooms`, body: OpenRoomRequest, token?: string | null): Promise<JoinedRoom>;
    (path: `/api/rooms`, body?: undefined, token?: string | null): Promise<OwnRooms>;
    (path: `/api/rules` | `/api/rules?${string}`, body?: undefined, token?: string | null): Promise<PlayableGame>;
    (path: `/api/scores` | `/api/scores?${string}`, body?: undefined, token?: string | null): Promise<Scoreboard>;
    (path: `/api/tournaments`, body: OpenTournamentRequest, token?: string | null): Promise<OpenedTournament>;
    (path: `/api/tournaments`, body?: undefined, token?: string | null): Promise<PublicTournaments>;
    (path: `/api/tv` | `/api/tv?${string}`, body?: undefined, token?: string | null): Promise<WallState>;
  }
}
