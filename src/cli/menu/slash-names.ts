/** The commands of the conversation, in the order in which `/` lists them: see slash-commands.ts. */
export const slashNames = [
  'model',
  'sessions',
  'approvals',
  'runs',
  'capsules',
  'new',
  'plan',
  'diff',
  'undo',
  'cost',
  'setup',
  'settings',
  'doctor',
  'clear',
  'help',
  'quit',
] as const;

export type SlashName = (typeof slashNames)[number];

/** Commands that take words after their name. */
const withWords: ReadonlySet<string> = new Set<SlashName>(['model', 'new', 'plan', 'diff']);

/** Whether a line is exactly a command: `/quit`, `/new Fix the tests`. A line with a space before the slash is text. */
export function isCommandLine(line: string): boolean {
  const [, name = '', words = ''] = /^\/([a-z]+)(?:\s+(\S[\s\S]*))?\s*$/.exec(line) ?? [];
  const isKnown = name === 'exit' || slashNames.some((one) => one === name);
  return isKnown && (words === '' || withWords.has(name));
}

/** Printed where a command is typed as the answer to a question that can't perform it. */
export const commandIsNoAnswer = (line: string): string =>
  `  ${line.trim()} is a command, and there are none at this question. With a space before the slash it is an answer.`;
