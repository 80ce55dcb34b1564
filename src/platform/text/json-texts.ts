/** Whether a text or a name in a JSON value passes a test. Walks without recursion: it may be nested to any depth. */
export function someText(value: unknown, test: (text: string) => boolean): boolean {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string' && test(next)) return true;
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next) && Object.keys(next).some(test)) return true;
    for (const part of Object.values(next)) left.push(part);
  }
  return false;
}

/** A copy of a JSON value with every text and name changed. From a depth on, `deeper` stands for objects and arrays. */
export function mapTexts(
  value: unknown,
  change: (text: string) => string,
  depth = Number.POSITIVE_INFINITY,
  deeper = '',
): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth <= 0) return deeper;
  const inner = (part: unknown) => mapTexts(part, change, depth - 1, deeper);
  if (Array.isArray(value)) return value.map(inner);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [change(name), inner(part)]),
  );
}
