type Name = string | number;

/**
 * Formats JSON as one line per field: `args.path: "a.txt"`. A text of several lines is indented below its name. Words
 * before the JSON are kept. Text without JSON is returned unchanged.
 */
export function fieldsText(text: string): string {
  const [, words = '', json = ''] = /^([^{[]*)([{[].*)$/s.exec(text) ?? [];
  const value = documentIn(json);
  if (value === undefined) return text;
  return [...(words === '' ? [] : [words.trimEnd()]), ...linesOf(value, '')].join('\n');
}

function documentIn(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function linesOf(value: unknown, path: string): string[] {
  const lead = path === '' ? '' : `${path}:`;
  if (typeof value === 'string' && value.includes('\n'))
    return [lead, ...value.split('\n').map((line) => `  ${line}`)];
  const parts = partsOf(value);
  if (parts.length === 0) return [`${lead} ${JSON.stringify(value)}`];
  return parts.flatMap(([name, part]) => linesOf(part, pathTo(path, name)));
}

function partsOf(value: unknown): [Name, unknown][] {
  if (Array.isArray(value)) return value.map((part, index) => [index, part]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function pathTo(path: string, name: Name): string {
  if (typeof name === 'number') return `${path}[${name}]`;
  if (!/^[\w-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}
