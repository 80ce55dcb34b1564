const MAX_CHARS = 300;

/** The start of a Markdown line that is not prose: a table, heading, list, quotation or code. */
const NO_PROSE = /^(?:[|#>`~*+-]|\d+[.)]\s)/;

/**
 * The first sentence of a result, for one line about a finished step: on one line, without its full stop, at most 300
 * characters. Undefined if the result does not begin with prose.
 */
export function resultSummary(result: unknown): string | undefined {
  const text = textOf(result)
    ?.trimStart()
    .slice(0, 4 * MAX_CHARS);
  if (text === undefined || NO_PROSE.test(text)) return undefined;
  const paragraph = (text.split(/\n\s*\n/)[0] ?? '').replace(/\s+/g, ' ').trim();
  const sentence = paragraph.split(/(?<=[.!?])\s/)[0] ?? '';
  const plain = sentence.replace(/[.:]$/, '');
  if (plain === '') return undefined;
  return plain.length > MAX_CHARS ? `${[...plain].slice(0, MAX_CHARS - 1).join('')}…` : plain;
}

function textOf(result: unknown): string | undefined {
  if (typeof result === 'string') return result;
  if (typeof result !== 'object' || result === null || !('text' in result)) return undefined;
  return typeof result.text === 'string' ? result.text : undefined;
}
