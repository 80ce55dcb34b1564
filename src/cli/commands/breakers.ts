import { join } from 'node:path';
import type { BreakerStore } from '../../broker/money/breaker-store.ts';
import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatDuration, formatTable } from '../format.ts';
import { printJson } from '../print-json.ts';

const json = { flags: '--json', description: 'print JSON' };

export const command: CommandDefinition = {
  name: 'breakers',
  summary: 'Show which providers failed and rest, and let them be asked again at once',
  options: [json],
  examples: ['capstan breakers', 'capstan breakers reset openai/gpt-5-mini'],
  subcommands: [
    {
      name: 'list',
      summary: 'List the models that failed lately, and how long they rest',
      options: [json],
      examples: ['capstan breakers list --json'],
      run: (args, io) => withBreakers(args, io, list),
    },
    {
      name: 'reset',
      summary: 'Forget the failures of a provider, or of one of its models',
      arguments: '<provider[/model]>',
      options: [json],
      examples: ['capstan breakers reset openai', 'capstan breakers reset openai/gpt-5-mini'],
      run: (args, io) => withBreakers(args, io, reset),
    },
  ],
  run: (args, io) => withBreakers(args, io, list),
};

interface Here {
  readonly breakers: BreakerStore;
  readonly args: CommandArguments;
  readonly io: CommandIo;
  /** One transaction, with a line of the audit for each. */
  commit(write: () => readonly string[], action: string): readonly string[];
}

async function withBreakers(
  args: CommandArguments,
  io: CommandIo,
  body: (here: Here) => number,
): Promise<number> {
  const { environment, cwd } = io;
  const { settings } = await loadSettings({ environment, cwd, installFolder: installFolder() });
  const { openDatabase } = await import('../../db/open-database.ts');
  const { createAudit } = await import('../../broker/audit/audit.ts');
  const { createBreakerStore } = await import('../../broker/money/breaker-store.ts');
  const db = openDatabase(join(settings.places.stateDir, 'capstan.db'));
  const audit = createAudit(db);
  const commit: Here['commit'] = (write, action) =>
    db
      .transaction(() => {
        const refs = write();
        for (const ref of refs)
          audit.append({ actor: 'person:cli', action, runId: null, ref, detail: {} });
        return refs;
      })
      .immediate();
  try {
    return body({ breakers: createBreakerStore(db, settings.breaker), args, io, commit });
  } finally {
    db.close();
  }
}

const words = { open: 'rests', half_open: 'may try once', closed: 'answers' } as const;

function list({ breakers, args, io }: Here): number {
  const rows = breakers.list();
  if (args.options['json'] === true) {
    const document = rows.map(({ standing, ...row }) => ({
      provider: row.provider,
      model: row.model,
      state: standing.kind,
      failures: row.failures,
      rest_ms: standing.kind === 'open' ? standing.restMs : 0,
      opened_at: row.openedAt,
      last_problem: row.lastProblem,
    }));
    printJson(io, document);
  } else if (rows.length === 0) {
    io.stdout('No provider failed lately.\n');
  } else {
    io.stdout(
      formatTable([
        ['provider/model', 'state', 'failures', 'last problem'],
        ...rows.map(({ provider, model, standing, failures, lastProblem }) => [
          escapeText(`${provider}/${model}`),
          standing.kind === 'open'
            ? `${words.open} ${formatDuration(standing.restMs)}`
            : words[standing.kind],
          String(failures),
          shorten(lastProblem ?? ''),
        ]),
      ]),
    );
  }
  return exitCodes.completed;
}

function reset({ breakers, args, io, commit }: Here): number {
  const named = args.positionals[0] ?? '';
  const at = named.indexOf('/');
  const provider = at === -1 ? named : named.slice(0, at);
  const model = at === -1 ? undefined : named.slice(at + 1);
  if (provider === '' || model === '') {
    throw new AppError('USAGE', {
      problem:
        'Name a provider, or a provider and a model: capstan breakers reset openai/gpt-5-mini.',
    });
  }
  const refs = commit(
    () => breakers.reset(provider, model).map((row) => `${row.provider}/${row.model}`),
    'breaker.reset',
  );
  if (args.options['json'] === true) printJson(io, { reset: refs });
  else if (refs.length === 0) io.stdout(`Nothing is counted against ${escapeText(named)}.\n`);
  else io.stdout(`Reset: ${refs.map((ref) => escapeText(ref)).join(', ')}.\n`);
  return exitCodes.completed;
}

const shorten = (text: string): string => {
  const line = escapeText(text.replace(/\s+/g, ' '));
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
};
