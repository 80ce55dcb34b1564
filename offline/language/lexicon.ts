/** The vocabulary of the rules, as data. Words are in lower case, nouns in the singular. */

const list = (text: string): readonly string[] => text.split('|');

const set = (text: string): ReadonlySet<string> => new Set(list(text));

export const numberWords: ReadonlyMap<string, number> = new Map([
  ...list(
    'zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty',
  ).map((word, value) => [word, value] as const),
  ['dozen', 12],
  ['thirty', 30],
  ['forty', 40],
  ['fifty', 50],
  ['hundred', 100],
]);

export const months = list('jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec');

/** Words without a meaning for the answer. */
export const fillers = set(
  `a|an|the|all|any|of|me|my|our|us|please|kindly|just|i|you|we|want|need|would|like|could|can|will|to|hey|hi|hello|thanks|thank|is|are|was|were|be|been|there|do|does|did|has|have|had|show|list|find|get|give|display|print|tell|return|output|see|know|what|which|who|that|those|these|this|their|its|it|them|they|in|on|at|from|for|with|by|and|using|use|look|select|calculate|compute|determine|identify|report|as|then|file|table|data|dataset|database|sqlite|db|csv|tsv|json|jsonl|log|column|field|value|overall|altogether|together|result|answer|each|every|s|query|analyse|analyze|here|also|so|whole|entire|content|contained|inside|within|got|make|provide|retrieve|fetch|filter|narrow|restrict|what's|who's|that's|where's|there's|recorded|listed|stored|logged|happened|happen|occurred|exist|exists|save|write|export|store|were|much|times|entries|named|called|people|live|lives|web|server|dated|take|takes|came|come|comes|according|still|single|among|everyone|everybody|anyone|anybody|took|some|ones|ever|far|single|exactly|actually|anyone|lasted|lasts|lasting|i'd|i've|i'm|am|looking|very|pls|plz|someone|somebody`,
);

/** Words for a row of any table. */
export const rowNouns = set('row|record|entry|line|item|result|case|thing|claim');

/** Nouns for the same kind of row: a table of one of them has rows of the others. */
const sameRows = [
  'training|session|practice|lesson|workout|class',
  'match|game|fixture',
  'expense|spending|purchase|payment|transaction|expenditure',
  'order|sale|purchase|transaction',
  'bill|invoice',
  'booking|reservation|stay|rental',
  'customer|client|buyer',
  'employee|worker|colleague|person',
  'member|person',
  'student|pupil|person|child|kid',
  'ticket|issue',
  'ticket|request',
  'issue|bug|defect',
  'task|todo|chore|job',
  'trip|ride|journey|tour|drive',
  'product|item|article|good',
  'delivery|shipment|parcel',
  'repair|job|fix',
  'reading|measurement|observation|sample',
  'visit|appointment|session',
  'playtest|run|test|session',
  'capture|catch',
  'timesheet|session|shift',
  'loan|borrowing',
  'donation|gift|contribution',
  'vehicle|car',
  'gear|equipment|piece|item',
  'pet|animal|patient',
  'owner|client|customer',
  'server|host|machine|computer',
  'license|licence',
  'appointment|booking',
  'holiday|vacation|trip',
  'vaccine|vaccination',
  'outage|incident',
  'novel|book',
  'grocery|purchase',
  'contract|subscription',
].map(list);

/** Whether a noun in the singular may mean a row of a table of these nouns. */
export const meansRow = (stem: string, nouns: ReadonlySet<string>): boolean =>
  nouns.has(stem) ||
  sameRows.some((same) => same.includes(stem) && same.some((noun) => nouns.has(noun)));

/** By the noun of a row, the verbs for what it records. */
export const deeds: readonly (readonly [noun: string, verbs: readonly string[]])[] = [
  ['loan', list('borrowed|loaned|lent')],
  ['order', list('ordered|bought|sold|purchased|placed|buy|sell')],
  ['sale', list('sold|bought|purchased|sell')],
  ['purchase', list('bought|purchased|buy')],
  ['expense', list('bought|purchased|buy|spent|spend|paid')],
  ['spending', list('bought|purchased|buy|spent|spend|paid')],
  ['capture', list('caught|catch')],
  ['match', list('played|play')],
  ['game', list('played|play')],
  ['item', list('sold|ordered|bought')],
  ['visit', list('visited|seen')],
  ['view', list('viewed|visited|seen')],
  ['hit', list('visited|hit')],
  ['booking', list('booked|reserved')],
  ['reservation', list('reserved|booked')],
  ['rental', list('rented|borrowed')],
  ['donation', list('received|given|gave|donated')],
  ['gift', list('received|given|gave')],
  ['payment', list('paid')],
];

/** `second`, `3rd`: a position in an order. */
export const ordinals: ReadonlyMap<string, number> = new Map(
  list('second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth').map(
    (word, at) => [word, at + 2] as const,
  ),
);

/** Other words for columns: what people say, and the names of columns. */
export const synonyms: readonly (readonly [said: readonly string[], column: readonly string[]])[] =
  [
    [
      list('revenue|turnover|sale|money|income|earning'),
      list('revenue|sale|turnover|total|amount|total amount|total price'),
    ],
    [list('host|server|machine|device'), list('hostname|host name|host|server|machine|source')],
    [
      list('client|ip|ip address|address|client address|client ip|visitor|remote address|host'),
      list('client|ip|client ip|remote addr|host|hostname'),
    ],
    [
      list('url|uri|page|request path|resource|requested url|requested page'),
      list('path|url|uri|page'),
    ],
    [
      list('status code|http status|response code|http code|response status|http status code'),
      list('status|status code'),
    ],
    [list('response size|size|traffic|bandwidth|byte sent|body size'), list('byte|size|byte sent')],
    [
      list('response time|latency|request time|request duration|duration|time|time taken|took'),
      list(
        'duration m|duration ms|duration s|duration min|duration minute|duration|latency ms|latency m|latency|response time|response time ms|took ms|took m|request time m|request time ms|request time|rt m',
      ),
    ],
    [list('user agent|browser|agent'), list('user agent|agent')],
    [list('temperature'), list('temp')],
    [list('rainfall|precipitation'), list('rain|rainfall|precipitation')],
    [list('attendance|attendee|participant'), list('attendance|attendee|present|participant')],
    [list('earning|earn|earns|pay|wage|income'), list('salary|wage|income|pay')],
    [list('cost|costs|price'), list('cost|price|fee|unit price|entry fee')],
    [list('core'), list('cpu')],
    [list('operating system'), list('os')],
    [list('credit'), list('ects')],
    [list('kilometre|kilometer'), list('km|distance km')],
    [list('kilo|kilogram'), list('kg|weight kg')],
    [list('referer|referrer'), list('referrer|referer')],
    [list('http method|request method|verb'), list('method')],
    [list('severity|log level'), list('level|severity')],
    [list('route|api endpoint'), list('endpoint')],
    [list('quantity|unit'), list('qty|quantity|unit')],
    [
      list('email|e mail|mail|email address|mail address|e mail address'),
      list('email|e mail|mail|email address|mail address|contact'),
    ],
    [
      list('birthday|birth date|birthdate|date of birth|born|birth'),
      list('born|birthday|birth date|birthdate|date of birth|dob|birth'),
    ],
    [list('star|rating'), list('star|rating')],
    [list('memory'), list('ram gb|ram|memory gb')],
    [list('estimate'), list('story point|estimated hour|estimated minute')],
  ];

/** Units of time in seconds and of size in bytes. */
export const units: ReadonlyMap<string, readonly ['time' | 'size', number]> = new Map(
  (
    [
      ['time', 0.001, 'ms|msec|millisecond|millis'],
      ['time', 1, 's|sec|second'],
      ['time', 60, 'min|minute'],
      ['time', 3600, 'h|hour'],
      ['time', 86_400, 'day'],
      ['time', 604_800, 'week'],
      ['size', 1, 'b|byte'],
      ['size', 1000, 'kb|kilobyte'],
      ['size', 1e6, 'mb|megabyte'],
      ['size', 1e9, 'gb|gigabyte'],
      ['size', 1024, 'kib'],
      ['size', 1_048_576, 'mib'],
    ] as const
  ).flatMap(([kind, factor, words]) => list(words).map((word) => [word, [kind, factor]] as const)),
);

/** Parts of a time, each with its SQL. */
export const timeParts: ReadonlyMap<string, (column: string) => string> = new Map([
  ['year', (column) => `CAST(strftime('%Y', ${column}) AS INTEGER)`],
  ['month', (column) => `strftime('%Y-%m', ${column})`],
  ['week', (column) => `strftime('%Y-W%W', ${column})`],
  ['day', (column) => `date(${column})`],
  ['date', (column) => `date(${column})`],
  ['hour', (column) => `strftime('%Y-%m-%d %H:00', ${column})`],
  ['hour of the day', (column) => `strftime('%H', ${column})`],
  ['weekday', (column) => `substr('SunMonTueWedThuFriSat', 1 + 3 * strftime('%w', ${column}), 3)`],
  [
    'quarter',
    (column) => `strftime('%Y', ${column}) || '-Q' || ((strftime('%m', ${column}) + 2) / 3)`,
  ],
]);
