import { expect, it } from 'vitest';
import { withoutCommands } from './workflow-command.ts';

/** The commands that the runner of GitHub Actions reads from a log, as its source describes it. */
const commandsIn = (log: string): string[] =>
  log.split(/\r\n|\r|\n/).filter((line) => {
    const begin = line.replace(/^[\s\u0085\u180e\u200b]+/u, '');
    return begin.startsWith('::') || line.includes('##[');
  });

it.each([
  '::error::now',
  'text\n::set-output name=a::b',
  'text\r::error::now',
  'text\r\n \t ::stop-commands::x',
  '\u00a0\u2003::error::now',
  '\u0085::error::now',
  '\u000b\u000c::error::now',
  '\ufeff::error::now',
  '\u200b::error::now',
  'in a line ##[error]now',
  '####[group]x',
  '##[##[error]',
  '::::error::now\n::::',
])('no command is left in %j', (hostile) => {
  expect(commandsIn(hostile)).not.toEqual([]);
  expect(commandsIn(withoutCommands(hostile))).toEqual([]);
});

it.each(['a::b', 'std::vector<int>', '# Title\n## [link](x)', 'C#\n#[derive(Debug)]', ''])(
  '%j stays as it is',
  (text) => {
    expect(withoutCommands(text)).toBe(text);
  },
);
