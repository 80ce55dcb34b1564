import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJson } from '../../io/print-json.ts';
import { capsuleOptionsOf, projectOptions } from '../../options/capsule-options.ts';
import { standard } from '../../options/standard-options.ts';
import { textOption } from '../../options/text-option.ts';
import { withCapstan } from '../../with-capstan.ts';

export const capsulesPrompt: CommandDefinition = {
  name: 'prompt',
  topic: 'Look',
  brief: 'its prompt',
  summary: 'Show the prompt for one task: each layer with its file and tokens',
  arguments: '<capsule>',
  options: [
    { flags: '--task <text>', description: 'the task, as a user would type it' },
    {
      flags: '--task-kind <name>',
      description: 'default: the one that a run with a model would choose',
    },
    ...projectOptions,
    standard.json,
  ],
  examples: [
    'capstan capsules prompt log-analyst --task "How many requests failed?"',
    'capstan capsules prompt ./agents/mine --json',
  ],
  run: withCapstan(async ({ capstan, args, io }) => {
    const [named = ''] = args.positionals;
    const prompt = await capstan.capsules.prompt(named, {
      ...capsuleOptionsOf({ args, io }),
      task: textOption(args.options['task']),
      taskKind: textOption(args.options['taskKind']),
    });
    const { capsule, taskKind, mode, tokens, layers } = prompt;
    if (args.options['json'] === true) {
      printJson(io, { capsule, task_kind: taskKind, mode, tokens, layers });
      return exitCodes.completed;
    }
    if (mode === 'handler')
      io.stderr(`note: task kind "${taskKind}" runs a handler, which uses no prompt.\n`);
    for (const { kind, id, path, text, tokens: some } of layers) {
      io.stdout(`━━ ${kind} ${id} · ≈${some} tokens${path === null ? '' : ` · ${path}`}\n`);
      io.stdout(`${escapeText(text, true)}\n\n`);
    }
    io.stdout(`≈${tokens} tokens before the first answer\n`);
    return exitCodes.completed;
  }),
};
