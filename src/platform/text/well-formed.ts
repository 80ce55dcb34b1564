/**
 * The same value with every lone surrogate replaced by U+FFFD, in names as well; the value itself if there is none. Text
 * with a lone surrogate can't be stored as UTF-8, so it would be read back as a different text than the hashed one.
 */
export function wellFormed<T>(value: T): T {
  return (isWellFormed(value) ? value : replaced(value)) as T;
}

/** Parses JSON, whose escapes can write lone surrogates, into a well-formed value. @throws SyntaxError */
export function parseWellFormed(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return SURROGATE_ESCAPE.test(text) || !text.isWellFormed() ? wellFormed(value) : value;
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/** Walks without recursion: the value may be nested to any depth. */
function isWellFormed(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string' && !next.isWellFormed()) return false;
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next) && !Object.keys(next).every((name) => name.isWellFormed()))
      return false;
    for (const part of Object.values(next)) left.push(part);
  }
  return true;
}

function replaced(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(replaced);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name.toWellFormed(), replaced(part)]),
  );
}
