/** The vocabulary of the rules, as data. Words are in lower case, nouns in the singular. */

/** Splits alternatives: `a|b`. */
export const list = (text: string): readonly string[] => text.split('|');

/** Splits an entry `a|b = c|d` into its two lists of words. */
export function sides(entry: string): readonly [readonly string[], readonly string[]] {
  const [left = '', right = ''] = entry.split(' = ');
  return [list(left), list(right)];
}

/** Parses a table: one line for each row, ` => ` between cells. Lines that begin with `# ` are examples. */
export const rowsOf = (table: string): readonly string[][] =>
  table.split('\n').flatMap((line) => (/^(?:# |$)/.test(line) ? [] : [line.split(' => ')]));

/** Parses pairs of a word and its meaning: `ids id|buses bus`. */
export const pairs = (text: string): ReadonlyMap<string, string> =>
  new Map(list(text).map((pair) => pair.split(' ') as [string, string]));

const set = (text: string): ReadonlySet<string> => new Set(list(text));

/** The phrase in a step that refers to the result of an earlier step. */
export const FOUND_BEFORE = 'what was found before';

/** Numbers in words. */
export const numberWords: ReadonlyMap<string, number> = new Map([
  ...list(
    'zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty',
  ).map((word, value) => [word, value] as const),
  ...list('thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred').map(
    (word, at) => [word, 30 + 10 * at] as const,
  ),
  ['dozen', 12],
]);

/** Days of the week, in the order of SQLite's `%w`. */
export const weekdays = list('sunday|monday|tuesday|wednesday|thursday|friday|saturday');

/** The months, in order. */
export const monthNames = list(
  'january|february|march|april|may|june|july|august|september|october|november|december',
);

/** The first three letters of each month. */
export const months = monthNames.map((name) => name.slice(0, 3));

/** Words that do not change the answer. */
export const fillers = set(
  `a|an|the|all|any|of|me|my|our|us|please|kindly|just|i|you|we|want|need|would|like|could|can|will|to|hey|hi|hello|thanks|thank|is|are|was|were|be|been|there|do|does|did|has|have|had|show|list|find|get|give|display|print|tell|output|see|know|what|which|who|that|those|these|this|their|its|it|them|they|in|on|at|from|for|with|by|and|using|use|look|select|calculate|compute|determine|identify|report|as|then|file|table|data|dataset|database|sqlite|db|csv|tsv|json|jsonl|log|column|field|value|overall|altogether|together|result|answer|each|every|s|query|analyse|analyze|here|also|so|whole|entire|content|contained|inside|within|got|make|provide|retrieve|fetch|filter|narrow|restrict|what's|who's|that's|where's|there's|recorded|listed|stored|logged|happened|happen|occurred|exist|exists|save|write|export|store|were|much|times|entries|named|called|people|live|lives|web|server|dated|take|takes|came|come|comes|according|still|single|among|everyone|everybody|anyone|anybody|took|some|ones|ever|far|single|exactly|actually|anyone|lasted|lasts|lasting|i'd|i've|i'm|am|looking|very|pls|plz|someone|somebody`,
);

/** Words for a row of any table. */
export const rowNouns = set('row|record|entry|line|item|result|case|thing|claim');

/** Words for a row of a table of events, after a word of its name: `vet visit`. */
export const eventNouns = set(
  'visit|test|session|event|appointment|check|exam|examination|reading|measurement|treatment|occasion|attempt|trip|round|game|match',
);

/** Words for a row that is an amount of money itself: `average fine`. */
export const amountNouns = set('fine|order|transaction|gift|contribution|tip|grant|penalty');

/** Groups of nouns for the same kind of row, separated by spaces. */
const sameRows =
  'training|session|practice|lesson|workout|class course|class match|game|fixture expense|spending|purchase|payment|transaction|expenditure order|sale|purchase|transaction bill|invoice booking|reservation|stay|rental customer|client|buyer employee|worker|colleague|staff|person member|person student|pupil|person|child|kid ticket|issue ticket|request issue|bug|defect task|todo|chore|job product|item|article|good delivery|shipment|parcel repair|job|fix reading|measurement|observation|sample playtest|run|test|session capture|catch timesheet|session|shift loan|borrowing donation|gift|contribution vehicle|car gear|equipment|piece|item pet|animal|patient server|host|machine|computer license|licence vaccine|vaccination grocery|purchase contract|subscription trip|ride|journey|tour|drive holiday|vacation|trip appointment|booking visit|appointment|session outage|incident owner|client|customer novel|book'
    .split(' ')
    .map(list);

/** Whether a noun in the singular may mean a row of a table of these nouns. */
export const meansRow = (stem: string, nouns: ReadonlySet<string>): boolean =>
  nouns.has(stem) ||
  sameRows.some((same) => same.includes(stem) && same.some((noun) => nouns.has(noun)));

/** Other nouns for the same person: `child` for `pupil`. */
export const kinOf = (stem: string): readonly string[] =>
  sameRows
    .filter((same) => /^(?:customer|employee|student)$/.test(same[0] ?? '') && same.includes(stem))
    .flat();

/** Nouns for a row, with the verbs for what it records. */
export const deeds = [
  'loan = borrowed|loaned|lent|borrow',
  'order = ordered|bought|sold|purchased|placed|buy|sell',
  'sale = sold|bought|purchased|sell',
  'purchase|grocery|shopping = bought|purchased|buy',
  'expense|spending = bought|purchased|buy|spent|spend|paid',
  'capture = caught|catch',
  'match|game = played|play',
  'item = sold|ordered|bought',
  'view|visit = viewed|visited|seen',
  'hit = visited|hit',
  'booking|reservation|stay = booked|reserved|used',
  'rental = rented|borrowed|used',
  'donation|gift = received|given|gave|donated|made',
  'payment = paid',
  'goal = scored|score',
].map(sides);

/** Ordinal numbers in words. */
export const ordinals: ReadonlyMap<string, number> = new Map(
  list('second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth').map(
    (word, at) => [word, at + 2] as const,
  ),
);

/** Synonyms of column names: words in questions = names of columns. */
export const synonyms = [
  'revenue|turnover|sale|money|income|earning = revenue|sale|turnover|total|amount|total amount|total price',
  'host|server|machine = hostname|host name|host|server|machine',
  'device|machine|logger|component|module|worker|thread = source',
  'client|ip|ip address|address|client address|client ip|visitor|remote address|host = client|ip|client ip|remote addr|host|hostname',
  'url|uri|page|request path|resource|requested url|requested page = path|url|uri|page',
  'status code|http status|response code|http code|response status|http status code = status|status code',
  'response size|size|traffic|bandwidth|byte sent|body size = byte|size|byte sent',
  'response time|latency|request time|request duration|duration|time|time taken|took|millisecond = duration|latency|response time|took|request time|rt|ms',
  'duration|running time|run time|playing time|length = duration|length|running time|minute|second|hour',
  'user agent|browser|agent = user agent|agent',
  'temperature = temp',
  'rainfall|precipitation = rain|rainfall|precipitation',
  'person|visitor = person|visitor|audience',
  'attendance|attendee|participant = attendance|attendee|present|participant',
  'earning|earn|earns|pay|wage|income = salary|wage|income|pay',
  'cost|costs|price = cost|price|fee|unit price|entry fee',
  'weigh|weighs|weighed|mass = weight|mass',
  'core = cpu',
  'operating system = os',
  'credit = ect|credit|credit point',
  'kilometre|kilometer = km|distance',
  'kilo|kilogram = kg|weight',
  'referer|referrer = referrer|referer',
  'http method|request method|verb = method',
  'severity|log level = level|severity',
  'route|api endpoint|endpoint = endpoint|path|url',
  'quantity|unit = qty|quantity|unit',
  'email|e mail|mail|email address|mail address|e mail address = email|e mail|mail|email address|mail address|contact',
  'birthday|birth date|birthdate|date of birth|born|birth = born|birthday|birth date|birthdate|date of birth|dob|birth|birth year|year of birth',
  'star|rating = star|rating',
  'mark|score|point = score|mark|point',
  'phone|telephone|mobile|cell|phone number = phone|telephone|tel|mobile|phone number',
  'town|city|hometown|village = city|town|village',
  'firm|company|organisation|organization|business = company|firm|organisation|organization|employer',
  'role|job|position|job title = role|position|job|job title|title',
  'department|division = department|dept|division',
  'surname|family name|last name = last name|surname|family name',
  'comment|remark|note = comment|remark|note',
  'reading|figure = reading',
  'joined|signed up|registered = joined|member since|since|signed up|registered|join date',
  'hired|employed = hired|hire date|start date|started',
  'memory = ram|memory',
  'estimate = story point|estimated hour|estimated minute',
].map(sides);

/** What a unit measures, and its size in the base unit of that kind. */
export type Unit = readonly [kind: 'time' | 'size' | 'mass' | 'distance', factor: number];

/** Units by their names. */
export const units: ReadonlyMap<string, Unit> = new Map(
  (
    [
      ['time', 0.001, 'ms|msec|millisecond|millis'],
      ['time', 1, 's|sec|second'],
      ['time', 60, 'min|minute'],
      ['time', 3600, 'h|hour'],
      ['time', 86_400, 'day|night'],
      ['time', 604_800, 'week'],
      ['mass', 1, 'g|gram'],
      ['mass', 1000, 'kg|kilo|kilogram'],
      ['mass', 453.592_37, 'lb|lbs|pound'],
      ['distance', 1, 'km|kilometre|kilometer'],
      ['distance', 1.609_344, 'mile'],
      ['distance', 0.001, 'm|metre|meter'],
      ['distance', 1e-5, 'cm|centimetre|centimeter'],
      ['distance', 1e-6, 'mm|millimetre|millimeter'],
      ['size', 1, 'b|byte'],
      ['size', 1000, 'kb|kilobyte'],
      ['size', 1e6, 'mb|megabyte'],
      ['size', 1e9, 'gb|gigabyte'],
      ['size', 1024, 'kib'],
      ['size', 1_048_576, 'mib'],
    ] as const
  ).flatMap(([kind, factor, words]) => list(words).map((word) => [word, [kind, factor]] as const)),
);

/** Whether two words are the same unit: `minute` and `min`. */
export const isSameUnit = (unit: string, word: string): boolean => {
  const [own, said] = [units.get(unit), units.get(word)];
  return word.length > 3 && own !== undefined && said?.[0] === own[0] && said[1] === own[1];
};

/** Units at the end of the names of columns. */
export const unitWords =
  'ms|m|s|sec|min|minute|h|hour|usd|eur|gbp|chf|kg|g|lb|oz|km|kmh|cm|mm|m2|m3|m²|m³|l|ml|kwh|kw|w|c|f|kb|mb|gb|pct|percent|per \\w+';

/** The SQL expression for a quarter such as `2026-Q1`. */
export const quarterOf = (column: string): string =>
  `strftime('%Y', ${column}) || '-Q' || ((strftime('%m', ${column}) + 2) / 3)`;

/** Parts of a time, with their SQL expressions. */
export const timeParts: ReadonlyMap<string, (column: string) => string> = new Map([
  ['year', (column) => `CAST(strftime('%Y', ${column}) AS INTEGER)`],
  ['month', (column) => `strftime('%Y-%m', ${column})`],
  ['week', (column) => `strftime('%Y-W%W', ${column})`],
  ['day', (column) => `date(${column})`],
  ['date', (column) => `date(${column})`],
  ['hour', (column) => `strftime('%Y-%m-%d %H:00', ${column})`],
  ['hour of the day', (column) => `strftime('%H', ${column})`],
  ['weekday', (column) => `substr('SunMonTueWedThuFriSat', 1 + 3 * strftime('%w', ${column}), 3)`],
  ['quarter', quarterOf],
]);

/** All words and phrases of this vocabulary. */
export const lexicon = (): readonly string[] => [
  ...[...numberWords.keys(), ...monthNames, ...weekdays, ...fillers, ...rowNouns],
  ...[...sameRows.flat(), ...deeds.flatMap(([, verbs]) => verbs), ...ordinals.keys()],
  ...[...synonyms.flat(2), ...units.keys(), ...timeParts.keys()],
];
