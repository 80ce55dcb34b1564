/**
 * Replaces every match, as `String.replace` does, which would hold all parts at once: if memory runs out inside the engine,
 * that ends the whole process, even from a thread.
 *
 * @param to `$1`, `$<name>`, `$&`, `` $` ``, `$'` and `$$` have their special meaning.
 * @returns Undefined if the result is larger than `maxBytes`.
 */
export function replaceMatches(text: string, matcher: RegExp, to: string, maxBytes: number) {
  const parts = partsOf(to, matcher);
  const result = createResult(maxBytes);
  let count = 0;
  let start = 0;
  for (const match of text.matchAll(matcher)) {
    count += 1;
    result.add(text.slice(start, match.index));
    for (const part of parts) result.add(typeof part === 'string' ? part : part(match));
    if (result.isTooLarge()) return undefined;
    start = match.index + match[0].length;
  }
  result.add(text.slice(start));
  const content = result.end();
  return content && { count, content };
}

type Part = string | ((match: RegExpExecArray) => string);

/** The parts of a replacement text that stand for something else. */
const SPECIAL = /(\$(?:[$&`']|\d\d?|<[^>]*>))/;

function partsOf(to: string, { source, flags }: RegExp): readonly Part[] {
  const groups = new RegExp(`${source}|`, flags).exec('') ?? [''];
  return to.split(SPECIAL).flatMap((part, i) => (i % 2 === 0 ? part : special(part, groups)));
}

/** @param groups A match, for the number and the names of its groups. */
function special(part: string, groups: Pick<RegExpExecArray, 'length' | 'groups'>): Part[] {
  if (part === '$$') return ['$'];
  if (part === '$&') return [(match) => match[0]];
  if (part === '$`') return [({ index, input }) => input.slice(0, index)];
  if (part === "$'") return [({ 0: found, index, input }) => input.slice(index + found.length)];
  const name = part.slice(2, -1);
  if (part.startsWith('$<')) return [groups.groups ? (match) => match.groups?.[name] ?? '' : part];
  // `$12` is group 1 and the digit 2 if there is no group 12.
  for (const digits of [part.slice(1), part.slice(1, 2)]) {
    const number = Number(digits);
    if (number > 0 && number < groups.length)
      return [(match) => match[number] ?? '', part.slice(1 + digits.length)];
  }
  return [part];
}

/** In characters. */
const MAX_HELD = 65_536;
const HALF_PAIR = /[\uD800-\uDBFF]$/;

/** Text as UTF-8, within a limit. A pair of UTF-16 surrogates is not separated. */
function createResult(maxBytes: number) {
  const content = Buffer.allocUnsafe(maxBytes);
  let bytes = 0;
  let held = '';
  let isTooLarge = false;
  const write = (text: string) => {
    isTooLarge ||= bytes + Buffer.byteLength(text) > maxBytes;
    if (!isTooLarge) bytes += content.write(text, bytes);
  };
  return {
    add(text: string): void {
      isTooLarge ||= bytes + held.length + text.length > maxBytes;
      if (isTooLarge) return;
      held += text;
      if (held.length < MAX_HELD) return;
      const end = held.length - (HALF_PAIR.test(held) ? 1 : 0);
      write(held.slice(0, end));
      held = held.slice(end);
    },
    isTooLarge: () => isTooLarge,
    /** Undefined if it is too large. */
    end(): Buffer | undefined {
      write(held);
      return isTooLarge ? undefined : content.subarray(0, bytes);
    },
  };
}
