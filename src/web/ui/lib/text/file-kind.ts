/** How a file is shown. */
export type FileKind = 'markdown' | 'table' | 'json' | 'text' | 'image' | 'binary';

/** Determines the kind by the file name, unless the content is binary. */
export function kindOfFile(path: string, content: Uint8Array): FileKind {
  if (/\.(?:png|jpe?g|gif|webp)$/i.test(path)) return 'image';
  if (content.subarray(0, 8_192).includes(0)) return 'binary';
  if (/\.(?:md|markdown)$/i.test(path)) return 'markdown';
  if (/\.json$/i.test(path)) return 'json';
  return /\.(?:csv|tsv)$/i.test(path) ? 'table' : 'text';
}

/** Parses delimited text (RFC 4180). An unclosed quote extends to the end of the text. */
export function tableOf(text: string, mark: ',' | '\t'): string[][] {
  const rows: string[][] = [[]];
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)(?:"|$)|([^${mark}\\r\\n]*))(${mark}|\\r?\\n|$)`,
    'gy',
  );
  while (cell.lastIndex < text.length) {
    const [, quoted, plain = '', end = ''] = cell.exec(text) ?? [];
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== mark && cell.lastIndex < text.length) rows.push([]);
    if (cell.lastIndex === 0) break;
  }
  return rows;
}
