/** A longer text before a call is an answer that contains an example. */
const MAX_PROSE_CHARS = 2_000;
/** The last lines of the prose introduce the call. */
const INTRODUCTION = { lines: 2, chars: 300 };

const QUOTING =
  /\b(?:examples?|e\.g|for instance|syntax|samples?|templates?|says?|said|states?|stated|contains?|includes?|quot(?:e|es|ed|ing)|instruct(?:s|ed|ion|ions)?|inject(?:s|ed|ion)?|suspicious|ignor(?:e|es|ed|ing)|like this|you (?:can|could|would|should|may|might)|never|(?:do|does|must|should|will) not|(?:do|does|must|should|wo)n['’]t)\b/i;

/** Whether the prose before a call shows that the call is quoted, or an example. */
export function isQuoted(prose: string): boolean {
  if (prose.trim().length > MAX_PROSE_CHARS) return true;
  const lines = prose.split('\n');
  if (/^\s*>/.test(lines.at(-1) ?? '') || /[`"'“‘(]$/.test(prose)) return true;
  const introduction = lines.filter((line) => line.trim() !== '').slice(-INTRODUCTION.lines);
  if (QUOTING.test(introduction.join('\n').slice(-INTRODUCTION.chars))) return true;
  return lines.filter((line) => /^\s{0,3}```/.test(line)).length % 2 === 1;
}
