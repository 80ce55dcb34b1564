import type { ToolDescription } from '../../../contract/wire/chat.ts';

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
      remember: {
        type: 'array',
        items: { type: 'string' },
        description: 'Facts for later tasks. Never a secret.',
      },
      artifacts: {
        type: 'array',
        items: { type: 'string' },
        description: 'Paths that you wrote.',
      },
      unchanged: {
        type: 'array',
        items: { type: 'string' },
        description: 'Paths that you read and that are already correct.',
      },
      needs: {
        type: 'array',
        items: { type: 'string' },
        description: 'Missing tools or abilities: write, delete, execute, web, database_write.',
      },
    },
    required: ['status', 'result'],
    additionalProperties: false,
  },
};

export interface FinalArgs {
  readonly status: 'ok' | 'error';
  readonly result: string;
  readonly remember: readonly string[];
  readonly artifacts: readonly string[];
  /** Files that were read and are already correct. */
  readonly unchanged: readonly string[];
  /** Missing tools or abilities; for status `error`. */
  readonly needs: readonly string[];
}

/** The checked arguments of `final`, or one sentence for the model about the problem. */
export function readFinal(args: Record<string, unknown>): FinalArgs | string {
  const { status, result, remember = [], artifacts = [] } = args as Partial<FinalArgs>;
  const { unchanged = [], needs = [] } = args as Partial<FinalArgs>;
  if (status !== 'ok' && status !== 'error') return '"status" must be "ok" or "error".';
  if (typeof result !== 'string' || result.trim() === '') return '"result" must be a text.';
  if (!isTexts(remember)) return '"remember" must be a list of texts.';
  if (!isTexts(artifacts)) return '"artifacts" must be a list of paths.';
  if (!isTexts(unchanged)) return '"unchanged" must be a list of paths.';
  if (!isTexts(needs)) return '"needs" must be a list of tools or abilities.';
  return { status, result, remember, artifacts, unchanged, needs };
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
