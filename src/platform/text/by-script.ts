/** The pattern that fits a text: one for ASCII alone, and the whole one for all others. */
export type ByScript = (text: string) => RegExp;

const asciiClasses: Readonly<Record<string, string>> = { L: 'A-Za-z', N: '0-9' };

/**
 * A pattern with Unicode's classes, compiled when it is needed. Compiling them takes some milliseconds, which a text in
 * ASCII does not need.
 *
 * @param source Classes stand in square brackets together with others: `[\p{L}_]`.
 * @param flags Without `u`.
 */
export function byScript(source: string, flags = ''): ByScript {
  const compiled = new Map<boolean, RegExp>();
  return (text) => {
    const isAscii = /^[\0-\x7f]*$/.test(text);
    const pattern =
      compiled.get(isAscii) ??
      (isAscii ? new RegExp(inAscii(source), flags) : new RegExp(source, `${flags}u`));
    compiled.set(isAscii, pattern);
    pattern.lastIndex = 0;
    return pattern;
  };
}

const inAscii = (source: string) =>
  source.replace(/\\p\{(\w+)\}/g, (_, name) => asciiClasses[name] ?? '');
