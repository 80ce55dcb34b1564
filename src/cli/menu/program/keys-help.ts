import { wrapProse } from '../draw/wrap-prose.ts';
import type { Frame } from '../frame.ts';

const rows: readonly (readonly [string, string])[] = [
  ['Enter', 'send: a task, or words to the run that works'],
  ['Alt-Enter, Ctrl-J, \\ Enter', 'new line'],
  ['Esc', 'stop the run; the next line steers and continues it; again: discard it'],
  ['Ctrl-C', 'clear the line; twice: quit'],
  ['Ctrl-D', 'quit, on an empty line'],
  ['Tab', 'complete / and @; the next step, run or waiting question'],
  ['Up, Down, Ctrl-R', 'earlier lines; search them'],
  ['Ctrl-G', 'the line in $EDITOR'],
  ['Ctrl-O', 'what was folded last, in $PAGER'],
  ['Ctrl-Z', 'stop the program; fg continues it'],
];

/** The keys of the conversation, for `?`. */
export const keysHelp = ({ style, width }: Frame): string =>
  rows
    .flatMap(([keys, what]) => {
      const head = `  ${keys.padEnd(27)} `;
      const [first = '', ...rest] = wrapProse(what, width, head);
      return [style.bold(head) + first.slice(head.length), ...rest];
    })
    .join('\n');
