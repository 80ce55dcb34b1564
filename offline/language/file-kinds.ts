import { list } from './lexicon.ts';

/** Words for kinds of files, with their extensions. */
const kinds: ReadonlyMap<string, readonly string[]> = new Map(
  list(
    'csv|tsv|json|jsonl|ndjson|txt|md|log|py|js|mjs|cjs|ts|tsx|jsx|css|xml|sql|db|pdf|png|jpg|jpeg|gif|svg|sh|toml|ini|rst|tex|c|h|cpp|rs|go|java|rb|php|zip|gz|tar|python py|javascript js,mjs,cjs|typescript ts,tsx|markdown md,markdown|text txt|yaml yaml,yml|yml yaml,yml|html html,htm|sqlite sqlite,db,sqlite3|database sqlite,db,sqlite3|shell sh,bash|image png,jpg,jpeg,gif,svg,webp',
  ).map((entry) => {
    const [word = '', endings = word] = entry.split(' ');
    return [word, endings.split(',')];
  }),
);

/** Whether a word names a kind of file. */
export const isFileKind = (word: string): boolean => kinds.has(word);

/** Globs for a kind of file: `csv`, `*.csv` or `.csv`. */
export function globsOfKind(kind: string): readonly string[] {
  if (kind.includes('*')) return [kind];
  const word = kind.toLowerCase().replace(/^\./, '');
  return (kinds.get(word) ?? kinds.get(word.replace(/s$/, '')) ?? [word]).map(
    (ending) => `*.${ending}`,
  );
}
