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
  `a|an|the|all|any|of|me|my|our|us|please|kindly|just|i|you|we|want|need|would|like|could|can|will|to|hey|hi|hello|thanks|thank|is|are|was|were|be|been|there|do|does|did|has|have|had|show|list|find|get|give|display|print|tell|return|output|see|know|what|which|who|that|those|these|this|their|its|it|them|they|in|on|at|from|for|with|by|and|using|use|look|let|select|calculate|compute|determine|identify|report|as|then|file|table|data|dataset|database|sqlite|db|csv|tsv|json|jsonl|log|column|field|value|overall|altogether|together|result|answer|each|every|s|query|analyse|analyze|here|out|up|also|so|whole|entire|content|contained|inside|within|own|got|make|made|provide|retrieve|fetch|filter|narrow|restrict|down|what's|who's|that's|where's|there's|placed|recorded|listed|stored|registered|received|logged|happened|happen|occurred|exist|exists|save|write|export|store|were|much|times|entries|named|called|people|live|lives|living|place|send|sent|served|transferred|web|server|published|released|written|dated|take|takes|came|come|comes|according|still|single|among|everyone|everybody|anyone|anybody`,
);

/** Words for a row of any table. */
export const rowNouns = set('row|record|entry|line|item|result|case|thing');

export const directions = {
  desc: list('highest|largest|biggest|greatest|most|maximum|max|top|best'),
  asc: list('lowest|smallest|least|fewest|minimum|min|bottom|worst'),
} as const;

/** By the noun of a row, the verbs for what it records. */
export const deeds: readonly (readonly [noun: string, verbs: readonly string[]])[] = [
  ['loan', list('borrowed|loaned|lent')],
  ['order', list('ordered|bought|sold|purchased|placed')],
  ['sale', list('sold|bought|purchased')],
  ['purchase', list('bought|purchased')],
  ['item', list('sold|ordered|bought')],
  ['visit', list('visited|seen')],
  ['view', list('viewed|visited|seen')],
  ['hit', list('visited|hit')],
  ['booking', list('booked|reserved')],
  ['reservation', list('reserved|booked')],
  ['rental', list('rented|borrowed')],
  ['payment', list('paid')],
];

export interface Superlative {
  readonly words: readonly string[];
  readonly direction: 'asc' | 'desc';
  /** Words in the name of its column; `time` for the column of time, `count` for the number of rows. */
  readonly by: readonly string[] | 'time' | 'count';
}

const duration = list(
  'duration|latency|took|elapsed|response|runtime|millisecond|second|minute|ms|rt',
);

const often = list(
  'common|frequent|popular|requested|visited|active|used|accessed|called|sold|ordered',
);

/** Adjectives, with the column that they order by. */
export const superlatives: readonly Superlative[] = [
  { words: ['slowest', 'longest'], direction: 'desc', by: [...duration, 'length'] },
  { words: ['fastest', 'quickest', 'shortest'], direction: 'asc', by: [...duration, 'length'] },
  { words: ['oldest'], direction: 'desc', by: ['age'] },
  { words: ['youngest'], direction: 'asc', by: ['age'] },
  { words: list('latest|newest|most recent|youngest'), direction: 'desc', by: 'time' },
  { words: list('earliest|oldest'), direction: 'asc', by: 'time' },
  {
    words: list('most expensive|priciest|dearest|costliest'),
    direction: 'desc',
    by: list('price|cost|fare'),
  },
  { words: list('cheapest|least expensive'), direction: 'asc', by: list('price|cost|fare') },
  { words: list('hottest|warmest'), direction: 'desc', by: list('temp|temperature') },
  { words: list('coldest|coolest'), direction: 'asc', by: list('temp|temperature') },
  { words: list('wettest|rainiest'), direction: 'desc', by: list('precipitation|rain|rainfall') },
  { words: ['driest'], direction: 'asc', by: list('precipitation|rain|rainfall') },
  { words: ['windiest'], direction: 'desc', by: ['wind'] },
  { words: ['heaviest'], direction: 'desc', by: list('weight|mass|byte|size') },
  { words: ['lightest'], direction: 'asc', by: list('weight|mass|byte|size') },
  { words: ['tallest'], direction: 'desc', by: list('height|size') },
  {
    words: [
      'busiest',
      ...often.map((word) => `most ${word}`),
      ...often.map((word) => `most often ${word}`),
    ],
    direction: 'desc',
    by: 'count',
  },
  {
    words: ['quietest', 'rarest', ...often.map((word) => `least ${word}`)],
    direction: 'asc',
    by: 'count',
  },
];

/** Comparisons, with the column that they compare. */
export const comparatives: readonly (readonly [
  phrases: readonly string[],
  op: Comparison,
  by: readonly string[],
])[] = [
  [
    list('cheaper than|less expensive than|cost less than|costs less than|costing less than'),
    '<',
    list('price|cost|fare'),
  ],
  [
    list('more expensive than|dearer than|cost more than|costs more than|costing more than'),
    '>',
    list('price|cost|fare'),
  ],
  [
    list('earn more than|earns more than|earning more than|make more than|makes more than'),
    '>',
    list('salary|wage|income|pay'),
  ],
  [
    list('earn less than|earns less than|earning less than|make less than|makes less than'),
    '<',
    list('salary|wage|income|pay'),
  ],
  [list('older than'), '>', ['age']],
  [list('younger than'), '<', ['age']],
  [list('slower than|longer than'), '>', [...duration, 'length']],
  [list('faster than|shorter than'), '<', [...duration, 'length']],
  [list('hotter than|warmer than'), '>', list('temp|temperature')],
  [list('colder than|cooler than'), '<', list('temp|temperature')],
  [list('heavier than'), '>', list('weight|mass')],
  [list('lighter than'), '<', list('weight|mass')],
  [list('taller than'), '>', list('height')],
];

/** `second`, `3rd`: a position in an order. */
export const ordinals: ReadonlyMap<string, number> = new Map(
  list('second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth').map(
    (word, at) => [word, at + 2] as const,
  ),
);

/** Words for a calculation, and its SQL function. */
export const aggregates: readonly (readonly [words: readonly string[], fn: string])[] = [
  [list('sum of|sum up|sum|summed|total of|total|add up|totals of|totals|overall'), 'sum'],
  [list('average of|average|mean of|mean|avg of|avg'), 'avg'],
  [list('median of|median'), 'median'],
  [list('minimum of|minimum|min of|min'), 'min'],
  [list('maximum of|maximum|max of|max'), 'max'],
  [list('standard deviation of|standard deviation|stddev of|stddev'), 'stddev'],
];

export const countWords = list(
  'number of|how many|how often does|how often do|how often did|how often is|how often was|how often|count of|count the number of|count up|count how many|count|amount of rows|# of|quantity of rows|numbers of',
);

export const distinctWords = list('distinct|different|unique');

export const groupWords = list(
  'for each|for every|in each|of each|grouped by|group by|broken down by|split by|divided by|per|by|each|every',
);

/** Comparisons, the longer first; `ge`, `gt`, … as in `comparison`. */
export const comparators: readonly (readonly [phrase: string, op: Comparison])[] = (
  [
    [
      '>=',
      'is greater than or equal to|greater than or equal to|at least|no less than|not less than|or more than|>=|≥|minimum of|is at least',
    ],
    [
      '<=',
      'is less than or equal to|less than or equal to|at most|no more than|not more than|up to|<=|≤|maximum of|is at most',
    ],
    [
      '>',
      'is greater than|is more than|is larger than|is higher than|is bigger than|is above|is over|greater than|more than|larger than|higher than|bigger than|longer than|older than|above|over|exceeding|exceeds|exceed|>',
    ],
    [
      '<',
      'is less than|is lower than|is smaller than|is fewer than|is below|is under|less than|lower than|smaller than|fewer than|shorter than|younger than|cheaper than|below|under|<',
    ],
    [
      '<>',
      "is not equal to|is not|are not|was not|not equal to|does not equal|other than|different from|!=|<>|≠|isn't|not",
    ],
    ['=', 'is equal to|equal to|equals|is exactly|exactly|is|are|was|were|==|=|of|:'],
  ] as const
).flatMap(([op, phrases]) => list(phrases).map((phrase) => [phrase, op] as const));

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** Text conditions. */
export const textTests: readonly (readonly [phrases: readonly string[], test: TextTest])[] = [
  [
    list('does not contain|not containing|without the text|do not contain|that does not include'),
    'lacks',
  ],
  [
    list(
      'contains|contain|containing|includes|including|include|mentions|mentioning|mention|like|matching',
    ),
    'has',
  ],
  [list('starts with|start with|starting with|begins with|begin with|beginning with'), 'starts'],
  [list('ends with|end with|ending with|ends in|ending in|end in'), 'ends'],
];

export type TextTest = 'has' | 'lacks' | 'starts' | 'ends';

export const emptyWords = list(
  'is empty|are empty|is missing|are missing|is blank|is null|is not set|missing|empty|without a|without an|with no|without|no',
);

export const filledWords = list(
  'is not empty|is not missing|is not blank|is not null|is set|is present|is filled|not empty|with a value',
);

export const exceptWords = list(
  'except for|except|other than|excluding|but not|not from|not in|without those from|not',
);

/** Other words for columns: what people say, and the names of columns. */
export const synonyms: readonly (readonly [said: readonly string[], column: readonly string[]])[] =
  [
    [
      list('revenue|turnover|sale|money|income|earning'),
      list('revenue|sale|turnover|total|amount|total amount|total price'),
    ],
    [
      list('client|ip|ip address|address|client address|client ip|visitor|remote address|host'),
      list('client|ip|client ip|remote addr|host'),
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
      list('response time|latency|request time|request duration|duration|time taken|took'),
      list(
        'duration m|duration ms|duration|latency ms|latency m|latency|response time|response time ms|took ms|took m|request time m|request time ms|request time|rt m',
      ),
    ],
    [list('user agent|browser|agent'), list('user agent|agent')],
    [list('temperature'), list('temp')],
    [list('earning|earn|earns|pay|wage|income'), list('salary|wage|income|pay')],
    [list('cost|costs'), list('cost|price|unit price')],
    [list('referer|referrer'), list('referrer|referer')],
    [list('http method|request method|verb'), list('method')],
    [list('severity|log level'), list('level|severity')],
    [list('route|api endpoint'), list('endpoint')],
    [list('quantity|unit'), list('qty|quantity|unit')],
  ];

/** Units of time in seconds and of size in bytes. */
export const units: ReadonlyMap<string, readonly ['time' | 'size', number]> = new Map(
  (
    [
      ['time', 0.001, 'ms|msec|millisecond|millis'],
      ['time', 1, 's|sec|second'],
      ['time', 60, 'min|minute'],
      ['time', 3600, 'h|hour'],
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
  ['weekday', (column) => `strftime('%w', ${column})`],
  [
    'quarter',
    (column) => `strftime('%Y', ${column}) || '-Q' || ((strftime('%m', ${column}) + 2) / 3)`,
  ],
]);

export const formats: readonly (readonly [words: readonly string[], format: Format])[] = [
  [list('markdown table|markdown list|markdown|md table|md'), 'markdown'],
  [list('csv table|csv file|csv'), 'csv'],
  [list('tsv file|tsv'), 'tsv'],
  [list('json array|json list|json file|json object|json'), 'json'],
  [list('plain text|text file|text'), 'text'],
];

export type Format = 'markdown' | 'csv' | 'tsv' | 'json' | 'text';

export const writeVerbs = list(
  'write|save|store|export|put|output|create|produce|generate|make|dump|print',
);

/** Words before a condition on groups: `with more than one order`. */
export const havingWords = list(
  'with|having|that have|who have|which have|have|that had|whose|where|who placed|that placed|with a|that made|who made|that appear|appearing|that occur|occurring|has|whose count|ordered|bought|appear|appears|occur|who ordered|that ordered|who bought|visited',
);
