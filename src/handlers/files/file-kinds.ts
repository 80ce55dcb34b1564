/** Words for kinds of files, and the endings that they mean. */
const kinds = new Map<string, readonly string[]>([
  ['python', ['py']],
  ['javascript', ['js', 'mjs', 'cjs']],
  ['typescript', ['ts', 'tsx']],
  ['markdown', ['md', 'markdown']],
  ['text', ['txt']],
  ['yaml', ['yaml', 'yml']],
  ['yml', ['yaml', 'yml']],
  ['html', ['html', 'htm']],
  ['sqlite', ['sqlite', 'db', 'sqlite3']],
  ['database', ['sqlite', 'db', 'sqlite3']],
  ['shell', ['sh', 'bash']],
]);
for (const ending of 'csv tsv json jsonl ndjson txt md log py js mjs cjs ts tsx jsx css xml sql db pdf png jpg jpeg gif svg sh toml ini rst tex c h cpp rs go java rb php zip gz tar'.split(
  ' ',
)) {
  kinds.set(ending, [ending]);
}

/** How forms spell a kind of file. */
export const kindWords = [...kinds.keys()].join('|');

/** Globs for a kind of file. */
export const globsOfKind = (kind: string): readonly string[] =>
  (kinds.get(kind.toLowerCase()) ?? [kind]).map((ending) => `*.${ending}`);
