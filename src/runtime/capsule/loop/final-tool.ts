import type { ToolDescription } from '../../../contract/wire/chat.ts';

const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

/** The tool with which a model ends its work. Built in: answered by the SDK without a request. */
export const finalTool: ToolDescription = {
  name: 'final',
  description:
    'Ends your work and returns its result, after you have seen the results of your other calls. ' +
    'Use status "error" if the task could not be done, wholly or in part, and say why.',
  parameters: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['ok', 'error'] },
      result: {
        type: 'string',
        description: 'Markdown, complete in itself; with status "error" what went wrong.',
      },
      remember: texts('Facts for later tasks. Never a secret.'),
      artifacts: texts('Paths that you wrote.'),
      unchanged: texts('Paths that you read and that are already correct.'),
      needs: texts('Missing tools or abilities: write, delete, execute, web, database_write.'),
    },
    required: ['status', 'result'],
    additionalProperties: false,
  },
};

/** The lists among the arguments, and what they contain. */
const LISTS = {
  remember: 'texts',
  artifacts: 'paths',
  unchanged: 'paths',
  needs: 'tools or abilities',
} as const;

export type FinalArgs = { readonly status: 'ok' | 'error'; readonly result: string } & Readonly<
  Record<keyof typeof LISTS, readonly string[]>
>;

/** The checked arguments of `final`, or one sentence for the model about the problem. */
export function readFinal(args: Record<string, unknown>): FinalArgs | string {
  const { status, result } = args;
  if (status !== 'ok' && status !== 'error') return '"status" must be "ok" or "error".';
  if (typeof result !== 'string' || result.trim() === '') return '"result" must be a text.';
  const lists = { remember: [], artifacts: [], unchanged: [], needs: [], ...args };
  for (const [name, what] of Object.entries(LISTS))
    if (!isTexts(lists[name as keyof typeof LISTS])) return `"${name}" must be a list of ${what}.`;
  return { ...lists, status, result };
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
