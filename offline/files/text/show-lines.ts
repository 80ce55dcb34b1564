import type { Outcome } from '../../context.ts';
import { fenced } from '../../language/escape.ts';
import { formsOf, type Step } from '../../phrases/form.ts';
import { fail } from '../../task-error.ts';
import { listed, type Match } from '../file-tool.ts';
import { lineParts, selectLines } from './select-lines.ts';

/** Forms that show or count some lines of a text. */
export const lineForms = formsOf(
  `${lineParts}
inside = [<where>|<place>]
noun = noun:(jobs|chores|points|duties|errands)
things = (<box>|todos?|items|things|everything|anything|<noun>)
how = [still|already] <state> [off] [yet]
asking = [(<look>|(are|is) there [any]|do (i|we) have [any])]
about = (isUnder:(under|below) [heading|section] {about:words}|{about:words})
left = what is (state:(still)|[still] state:(left|remaining|open)) to [be] (do|done|todo)
must = what ((do|must|should) (i|we) [still] [have|need] [to] state:(do)|state:(haven't) (i|we) done [yet])
being = [that|which] [still] (are|is|have|has|not:(aren't|isn't|haven't|hasn't)) [still|already] [not:(not)] [yet] [been]
showing: Show the first 10 lines of {file}
  [<look>|what (is|are|does)] <lines> <are> <inside> [say|contain] <anyCase>
  <look> lines <are> <where> <testing>
  <look> {files:file} (lines|entries) <testing>
  end:(head|tail) [-n] [{n}] [lines] [of] {files:file}
  end:(tail) of {files:file} [only] (last|final) {n} (lines|entries)
  <show> [{n}] (isOne:(line)|lines) (of|in|from) {files:file} from end:(top|bottom|end)
  (grep|search for|look for|where are|are there [any]|is there [any]|do we have [any]|any) <marker> [(i|we) (left|wrote|have)] <are> <inside>
headings: List the headings of {file}
  <look> <headings> <holds>
tasks: List the open tasks in {file}
  <look> <tasks> <holds>
  (<look> <things>|[<show>] what) <inside> <being> <how>
  (<look> [<things>]|[<show>] what) <being> <how> [<about>] <inside>
  <asking> [still] (<state> <things>|<box>|todos?|<noun>) [(in|of|from|on) {files:file+}] [<being> [<how>]] <about> [<being> <how>] <inside>
  [<show>] (<left>|<must>) [<about>] <inside>
  what (does|must|should) {about:words} [still] [have|need] to state:(do) <inside>
`,
  { showing: showLines, headings: showLines, tasks: showLines },
);

/** Maximum size of shown text, because all results must fit into one line of the protocol. */
export const MAX_SHOWN_BYTES = 400_000;

const shownLine = ({ path, line, text }: Match) =>
  path === '' ? `- ${text.trim()}` : `- ${path}:${line}: ${text.trim()}`;

/** Shows the selected lines below a title, or only their number if the step asks for it. */
export async function showLines(step: Step): Promise<Outcome> {
  const selection = await selectLines(step);
  const { title, matches, isBlock, shownAs = shownLine, total = matches.length } = selection;
  const counted = isBlock ? `${title}: ${total} in all` : title;
  if (step.has('isCount')) return listed(counted, [], { count: total });
  const lines = matches.map(({ text }) => text);
  if (isBlock) return block(title, lines, matches[0]?.path);
  return listed(title, matches.map(shownAs), {
    ...{ count: total, lines, columns: ['path', 'line', 'text'] },
    rows: matches.map(({ path, line, text }) => [path, line, text]),
  });
}

/** Shows lines unchanged in a fenced block. */
export function block(title: string, lines: readonly string[], path?: string): Outcome {
  const content = lines.map((line) => `${line}\n`).join('');
  if (content.length > MAX_SHOWN_BYTES)
    fail('INPUT_TOO_LARGE', `${title}: ${content.length} characters. Ask for fewer lines.`);
  const given = lines.length === 0 ? ' (there are none).' : ` (${lines.length} given):\n\n`;
  const text = `${title}${given}${lines.length === 0 ? '' : fenced(content)}`;
  return { text, data: { ...(path ? { path } : {}), lines, content } };
}
