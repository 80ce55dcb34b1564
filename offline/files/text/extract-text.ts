import type { Outcome } from '../../context.ts';
import { rowsOf } from '../../language/lexicon.ts';
import { formsOf, type Step } from '../../phrases/form.ts';
import { fail } from '../../task-error.ts';
import { listed, many } from '../file-tool.ts';
import { findAll, timesOf } from './sources.ts';

/** Forms that extract values such as addresses, numbers and dates from files. */
export const extractForms = formsOf(
  `
inside = [<where>|<place>]
address = (address|addresses)
kind = ((email|e-mail|mail) <address>|emails|e-mails|urls?|https links?|web links?|links?|web addresses|ip <address>|ips|(phone|version) numbers?|numbers|dates|hashtags)
what = [distinct:(unique|distinct|different)] what:(<kind>) [and also:(<kind>)]
once = [sorted:(sorted|in alphabetical order|alphabetically)] [distinct:((without|no|with no|remove) (duplicates?|doubles|repeats|repetitions)|each [one] [only] once|only once|deduplicated)] [sorted:(sorted|in alphabetical order|alphabetically)]
values: List all email addresses in {file}
  (<look>|(is|are) there) [all|any|every] <what> <are> [mentioned|found|listed|used|written|is written] <inside> <once>
  (does|do|has|have) [file] {files:file+} [have|contain|hold|list|mention] [any] <what> [in (it|them)]
  <look> <what> <holds> <once>
`,
  { values },
);

/** Kinds of values: the words for them, their name, a pattern for lines that may contain one, and their pattern. */
const shapes = rowsOf(String.raw`
mail => e-mail address => @ => [\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}
^https => https address => https: => https:\/\/[^\s<>"'\x60\])}]*[^\s<>"'\x60\])}.,;:!?]
url|link|web => address => [hH][tT][tT][pP] => https?:\/\/[^\s<>"'\x60\])}]*[^\s<>"'\x60\])}.,;:!?]
^ip => IP address => \d => (?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?!\d|\.\d)
phone => phone number => \d => (?<![\w.-])(?!\d{4}-\d\d-\d\d)(?=(?:[ ()\/+-]*\d){7})\+?\(?\d[\d ()\/-]{5,18}\d(?![\w-]|\.\d)
version => version number => \d => (?<![\w.])v?\d+\.\d+(?:\.\d+)+(?:-[\w.]+)?(?![\w])
number => number => \d => (?<![\w.])[\-+]?\d+(?:[.,]\d+)*(?![\w])
date => date => \d => \b\d{4}-\d\d-\d\d\b|\b\d{1,2}[.\/]\d{1,2}[.\/]\d{4}\b
hashtag => hashtag => # => (?<![\p{L}\p{N}&\/])#\p{L}[\p{L}\p{N}_\-]*
`);

async function values(step: Step): Promise<Outcome> {
  const first = await valuesOf(step, step.word('what'));
  if (!step.has('also')) return first;
  const { text, data } = await valuesOf(step, step.word('also'));
  const [all, more] = [first.data, data] as { lines: string[]; count: number }[];
  const lines = [...(all?.lines ?? []), ...(more?.lines ?? [])];
  const count = (all?.count ?? 0) + (more?.count ?? 0);
  return { text: `${first.text}\n\n${text}`, data: { count, lines } };
}

async function valuesOf(step: Step, said: string): Promise<Outcome> {
  const shape = shapes.find(([words = '']) => new RegExp(words).test(said));
  const [, name = '', pattern = '', value = ''] =
    shape ?? fail('NOT_UNDERSTOOD', `I can't find "${said}".`);
  const { matches, place } = await findAll(step, { pattern });
  const all = matches.flatMap(({ text }) => text.match(new RegExp(value, 'giu')) ?? []);
  const times = [...timesOf(all)];
  const rows = step.has('sorted') ? times.toSorted(([a], [b]) => (a < b ? -1 : 1)) : times;
  const isDistinct = step.has('distinct');
  const count = isDistinct ? rows.length : all.length;
  const several = isDistinct || all.length === rows.length ? '' : ` (${rows.length} different)`;
  const title = `${many(count, `${isDistinct ? 'different ' : ''}${name}`)}${several} in ${place}`;
  const shown = rows.map(([one, times]) => `- ${one}${times > 1 ? ` (${times} times)` : ''}`);
  const data = { count, lines: rows.map(([one]) => one), columns: [name, 'times'], rows };
  return listed(title, step.has('isCount') ? [] : shown, data);
}
