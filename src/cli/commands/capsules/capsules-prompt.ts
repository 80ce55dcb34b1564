import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { capsuleOptionsOf } from '../../options/capsule-options.ts';
import { projectOptions, standard } from '../../options/standard-options.ts';
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
  run: withCapstan(async (context) => {
    const { capstan, io, named, isJson, text } = context;
    const prompt = await capstan.capsules.prompt(named, {
      ...capsuleOptionsOf(context),
      task: text('task'),
      taskKind: text('taskKind'),
    });
    const { capsule, taskKind, mode, tokens, layers } = prompt;
    if (mode === 'handler' && !isJson)
      io.stderr(`note: task kind "${taskKind}" runs a handler, which uses no prompt.\n`);
    const texts = layers.map(
      (layer) =>
        `━━ ${layer.kind} ${layer.id} · ≈${layer.tokens} tokens${layer.path === null ? '' : ` · ${layer.path}`}\n` +
        `${escapeText(layer.text, true)}\n\n`,
    );
    return {
      json: { capsule, task_kind: taskKind, mode, tokens, layers },
      text: `${texts.join('')}≈${tokens} tokens before the first answer\n`,
    };
  }),
};
