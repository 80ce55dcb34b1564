/** The vocabulary of questions about data: alternatives of a pattern, in lower case. */

import { list, pairs, sides } from '../../language/lexicon.ts';

export const larger = 'highest|peak|largest|biggest|greatest|most|maximum|max|top|best';
export const smaller = 'lowest|smallest|least|fewest|minimum|min|bottom|worst';

/** Words for a calculation, and its SQL function. */
export const aggregates = [
  ['sum of|sum up|sum|summed|total of|total|add up|totals of|totals|overall', 'sum'],
  ['average of|average|mean of|mean|avg of|avg', 'avg'],
  ['median of|median', 'median'],
  ['minimum of|minimum|min of|min', 'min'],
  ['maximum of|maximum|max of|max', 'max'],
  ['standard deviation of|standard deviation|stddev of|stddev', 'stddev'],
] as const;

export const countWords =
  'count the number of|count how many|total number of|total nr of|number of|nr of|how many|how often (does|do|did|is|was)|how often|count of|count up|count|amount of rows|# of|quantity of rows';

/** Words for the sum of counts. */
export const totalWords = /^(?:total|altogether|together)$/;

export const distinctWords = 'distinct|different|unique';

export const groupWords =
  'for each|for every|in each|in every|of each|grouped by|group by|broken down by|split by|divided by|per|by|each|every';

/** `monthly revenue` is revenue per month. */
export const periods = pairs(
  'hourly hour|daily day|weekly week|monthly month|quarterly quarter|yearly year|annual year',
);

/** The operator of a comparison by its words. */
export const comparators: ReadonlyMap<string, string> = new Map(
  [
    '>= = greater than or equal to|at least|no less than|not less than|or more than|>=|≥|minimum of',
    '<= = less than or equal to|at most|no more than|not more than|up to|<=|≤|maximum of',
    '> = greater than|more than|larger than|higher than|bigger than|longer than|older than|above|over|exceeding|exceeds|exceed|>',
    '< = less than|lower than|smaller than|fewer than|shorter than|younger than|cheaper than|below|under|<',
    "<> = is not equal to|is not|are not|was not|not equal to|does not equal|other than|different from|!=|<>|≠|isn't|not",
    '= = is equal to|equal to|equals|is exactly|exactly|is|are|was|were|==|=|of|:',
  ]
    .map(sides)
    .flatMap(([[op = ''], phrases]) => phrases.map((phrase) => [phrase, op] as const)),
);

const duration = 'duration|latency|took|elapsed|response|runtime|millisecond|second|minute|ms|rt';

/** Parses `slower than / faster than = duration`: words for more and for less, and words of the column. */
const degrees = (entries: readonly string[]) =>
  entries.flatMap((entry) => {
    const [much = '', little = '', by = ''] = entry.split(/ [/=] /);
    return [
      { said: much, isDown: true, by },
      { said: little, isDown: false, by },
    ];
  });

export interface Superlative {
  readonly words: readonly string[];
  readonly direction: 'asc' | 'desc';
  /** Words in the name of its column; `time` for the column of time, `count` for the number of rows. */
  readonly by: readonly string[] | 'time' | 'count';
}

const often = list(
  'common|frequent|popular|requested|visited|active|used|accessed|called|sold|ordered|read|borrowed|watched|played|booked|prescribed|reported',
);

/** Adjectives for the highest / the lowest value, with words of the column that they order by. */
const adjectives = [
  `slowest / fastest|quickest = ${duration}`,
  'fastest|quickest / slowest = speed|velocity|knot|kmh|mph',
  `longest / shortest = ${duration}|length|page`,
  'longest|farthest|furthest / shortest|nearest = distance|km|mile',
  'thickest / thinnest = page',
  'oldest / youngest = age',
  'youngest / oldest = birth|born|birthday|dob',
  'latest|newest|most recent|youngest / earliest|oldest = time',
  'latest|newest|most recent / earliest|oldest = year|published|built|founded',
  'most expensive|priciest|dearest|costliest / cheapest|least expensive = price|cost|fare|fee',
  'most valuable|most expensive|priciest / least valuable|cheapest = value|worth|price',
  'strongest / weakest = abv|alcohol|strength',
  'hottest|warmest / coldest|coolest = temp|temperature|c|celsius',
  'wettest|rainiest / driest = precipitation|rain|rainfall',
  'windiest / calmest = wind',
  'heaviest / lightest = weight|mass|byte|size',
  'tallest / shortest = height|size',
  'deepest / shallowest = depth',
  'loudest / softest = volume|lufs|db|decibel',
  'best selling|best-selling|top selling / worst selling = quantity|qty|unit|sold',
  `busiest|${often.map((word) => `most ${word}|most often ${word}`).join('|')} / quietest|rarest|${often.map((word) => `least ${word}`).join('|')} = count`,
];

export const superlatives: readonly Superlative[] = degrees(adjectives).map(
  ({ said, isDown, by }) => ({
    ...{ words: list(said), direction: isDown ? 'desc' : 'asc' },
    by: by === 'time' || by === 'count' ? by : list(by),
  }),
);

/** An adjective as a comparison: `slower than` for `slowest`. */
const comparative = (said: string): string =>
  `${said.replace(/est$/, 'er').replace('most ', 'more ').replace('least ', 'less ')} than`;

/** Comparisons for more / for less, with the words of the column that they compare. */
export const comparatives = [
  ...degrees(adjectives)
    .filter(({ by, said }) => !/^(?:time|count|birth|year)/.test(by) && !said.includes('selling'))
    .map((one) => ({ ...one, said: list(one.said).map(comparative).join('|') })),
  ...degrees([
    '(cost|costs|costing) more than / (cost|costs|costing) less than = price|cost|fare',
    '(earns?|earning|makes?|making|paid|gets?|charges?) (more than|over|above) / (earns?|earning|makes?|making|paid|gets?|charges?) (less than|under|below) = salary|wage|income|pay|hourly',
    '(pays?|paying) (more than|over|above) / (pays?|paying) (less than|under|below) = fee|rent|contribution',
  ]),
].map(({ said, isDown, by }) => [said, isDown ? '>' : '<', list(by)] as const);

/** Verbs with an amount of money: `spent the most`. */
export const spendVerbs = 'spent|paid|spends?|pays?';
export const earnVerbs = 'earned|earns?';

/** Verbs that mean an amount of money if one is asked for: `how much did we collect`. */
export const moneyVerbs =
  'costs?|took|take|make|made|bring|brought|give|gave|given|collect|raise|charge|refund|donate|invoice|bill|receive';

/** Participles of such verbs: `total invoiced`. */
export const moneyParticiples =
  'collected|raised|charged|refunded|donated|invoiced|billed|received';

/** Text conditions. */
export const textTests = [
  [
    'does not contain|not containing|without the text|do not contain|that does not include',
    'lacks',
  ],
  ['contains?|containing|includes?|including|mentions?|mentioning|like|matching', 'has'],
  ['starts? with|starting with|begins? with|beginning with', 'starts'],
  ['ends? (with|in)|ending (with|in)', 'ends'],
] as const;

export const emptyWords =
  '(is|are) (empty|missing|blank|null)|is not set|missing|empty|without an|without a|without|with no|no';

export const filledWords =
  'is not (empty|missing|blank|null)|is (set|present|filled)|not empty|with a value';

export const exceptWords = list(
  "except for|except|apart from|aside from|leaving aside|leaving out|disregarding|ignoring|not counting|not including|without counting|but skip|skip|other than|excluding|but not|not from|not in|without those from|not|without|isn't|aren't|wasn't|weren't|hasn't been|haven't been|has not been|have not been",
);

/** Words before a condition on groups: `with more than one order`. */
export const havingWords =
  'with a|with|having|(that|who|which) have|have|had|that had|whose count|whose|where|(who|that) placed|that made|who made|that appear|appearing|that occur|occurring|has|(who|that) ordered|ordered|who bought|bought|appears?|occurs?|(turn|turns|show|shows|come|comes) up|visited|(do|did) (we|i|you) (have|get|buy|own)';

export const descending =
  'descending|desc|in descending order|from high to low|high to low|decreasing|z to a|from the highest';

export const ascending =
  'ascending|asc|in ascending order|from low to high|low to high|increasing|a to z|as text';

/** Words for sorting by a text or a time, and whether they mean the reverse order. */
export const senses = [
  [
    'alphabetically|in alphabetical order|in ascending alphabetical order|alphabetical',
    'text',
    false,
  ],
  [
    'in reverse alphabetical order|in descending alphabetical order|reverse alphabetically',
    'text',
    true,
  ],
  ['chronologically|in chronological order|chronological|[from] oldest to newest', 'time', false],
  [
    'in reverse chronological order|in descending chronological order|[from] newest to oldest',
    'time',
    true,
  ],
] as const;

/** Words around a sort key. */
export const sortWords =
  'sorted|ordered|sort|order|arrange|arranged|ranked|rank|sort (them|it|the results?)|order them|then';

export type Format = 'markdown' | 'csv' | 'tsv' | 'json' | 'text';

export const formats: readonly (readonly [string, Format])[] = [
  ['markdown table|markdown list|markdown|md table|md', 'markdown'],
  ['csv table|csv file|csv', 'csv'],
  ['tsv file|tsv', 'tsv'],
  ['json array|json list|json file|json object|json', 'json'],
  ['plain text|text file|text', 'text'],
];

export const writeVerbs =
  'write|save|store|export|put|output|create|produce|generate|make|dump|print';
