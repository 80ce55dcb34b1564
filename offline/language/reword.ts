import { type Token, tokenize } from './lexer.ts';

/** Other ways to say what the rules know. None of them reaches into a literal. */
const wordings: readonly (readonly [said: RegExp, known: string])[] = [
  // `make a copy of a.csv and call it b.csv`
  [
    /\b((?:make|create|take) (?:a |another )?(?:copy|duplicate|backup) of [^;]+?|(?:copy|duplicate|back up) \S+?),? (?:and )?(?:then )?(?:call|name) (?:it|that|the copy) (?=\S+\.\w)/gi,
    '$1 called ',
  ],
  // `turn a.tsv into JSON, call it b.json`
  [
    /(?:,| and|, and|,? then|[.;]) (?:call|name) (?:it|them|that|this|the (?:file|result)) (?=\S+\.\w)/gi,
    ' and save it as ',
  ],
  // `turn a.tsv into JSON, b.json is fine as a name`
  [
    /(?:,| and|, and) (\S+\.\w+) (?:is|would be) (?:fine|ok|okay|good)(?: as (?:a|the)(?: file)? name)?/gi,
    ' and save it as $1',
  ],
  // `average amount per item, saved as b.json`
  [/(?:,| and|, and) (?:saved|written|exported) (?=(?:as|to) \S+\.\w)/gi, ' and save it '],
  [/\b(?:pls|plz)\b/gi, 'please'],
  [/(?<!\S)w\/o(?= )/gi, 'without'],
  // `put the large boxes into b.json`
  [
    /^(\s*(?:please )?)put (?=(?:the|all|every)\b(?! (?:new )?(?:lines?|rows?|tasks?|items?|entry|texts?|words?)\b)[^"“`:]* (?:into|in|to) \S+\.(?:csv|tsv|json)\W*$)/gi,
    '$1save ',
  ],
  // `what is still to do? see plan.md`
  [/[?.!]\s+(?:please )?(?:see|check|look in) (?:the )?(\S+\.\w+)\W*$/gi, ' in $1'],
  [/\badd up (?=(?:the|all)\b)/gi, 'sum '],
  [/\blet me (?:see|have)\b/gi, 'show me'],
  // `one-star reviews`, `Five star photos`
  [/\b(one|two|three|four|five|[1-5])[- ]star(?=s? [a-z])/gi, '$1 stars'],
  [/\b(are|is|was|were|do|does|did|has|have|had)nt\b/gi, "$1n't"],
  // `convert a.csv to JSON and save it as b.json`
  [
    /\b((?:convert|turn|transform) \S+ (?:in)?to (?:an? )?(?:json|csv|tsv|markdown)(?: table)?)(?: file)?(?:,| and|, and|,? then) (?:save|write|store) (?:it|them|that|this|the result) (?=(?:as|to|in|into) \S+\.\w)/gi,
    '$1 ',
  ],
  // `sort the lines of a.txt and save them as b.txt`
  [
    /\bsort (?:the )?lines (?:of|in) (\S+)(?: alphabetically)?,? (?:and|then) (save|write|put|store)\b/gi,
    'show the lines of $1 sorted and $2',
  ],
  // `create a branch x and switch to it`
  [
    /\b(?:create|make|start) (?:a |the )?(?:new )?(?:git )?branch (?:called |named )?(\S+?),? (?:and|then)(?: then)? (?:switch to|check out|go to|change to) (?:it|that branch|the (?:new )?branch)(?!\w)/gi,
    'switch to a new branch $1',
  ],
  // `create a folder x and move the file there`
  [
    /\b(?:create|make) (?:a |the )?(?:new )?(?:folder|directory) (?:called |named )?([\w.-]+?)\/?(?:,? and|,? then|,|;)+ (move|copy|put|save) ((?:(?!\b(?:and|then|there|into|to)\b)(?:[^;,.]|\.(?=\w)))+) (?:there|(?:in|into|to) (?:it|there|the folder|that folder))(?![\w/])/gi,
    '$2 $3 into the folder $1/',
  ],
  // `and in the copy replace …`
  [
    /\b(and|then|,) in ((?:the|that) (?:copy|new file|copied file|file)|it),? ((?:replace|change|delete|remove|add|append|insert)\b[^;]+?)(?=[.;]?\s*$)/gi,
    '$1 $3 in $2',
  ],
];

/** Whether a part of a task begins or ends inside a literal. */
const isTorn = (part: string) => part.includes('`') || (part.match(/"/g) ?? []).length % 2 > 0;

/** The literals of a task. */
const literalsOf = (task: string) =>
  tokenize(task).filter(({ kind }) => !/^(?:word|number|op|mark)$/.test(kind));

/** A task in words that the rules know. */
export const reworded = (task: string): string =>
  wordings.reduce((text, [said, known]) => {
    let literals: readonly Token[] | undefined;
    return text.replace(said, (whole, ...parts) => {
      const at = parts.findLast((part) => typeof part === 'number') ?? 0;
      literals ??= literalsOf(text);
      const isInside = literals.some(({ start, end }) => start < at && at < end);
      if (isTorn(whole) || isInside) return whole;
      return known.replace(/\$(\d)/g, (_, part) => String(parts[Number(part) - 1]));
    });
  }, task);
