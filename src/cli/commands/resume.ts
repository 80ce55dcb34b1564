import { redactorOfNames } from '../../app/wiring/known-secrets.ts';
import { findPlaces, makePlaces } from '../../config/places.ts';
import { AppError } from '../../contract/errors.ts';
import { findRun } from '../../coordinator/find-run.ts';
import type { RunRecord } from '../../coordinator/run-store.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { isIsolationWaived, isolationFlags } from '../isolation-flags.ts';
import { settingsOfRun } from '../settings-of-run.ts';
import { showRun } from '../show-run.ts';

export const command: CommandDefinition = {
  name: 'resume',
  summary: 'Go on with a parked run, from where it left off',
  arguments: '[run]',
  options: [
    ...isolationFlags,
    { flags: '--timeout <seconds>', description: 'longest time from now on' },
    { flags: '--json', description: 'print one JSON document instead of the answer' },
    { flags: '-q, --quiet', description: 'no progress on stderr' },
  ],
  examples: ['capstan resume', 'capstan resume 0199 --json'],
  async run(args, io) {
    const run = await findParked(args, io);
    const loaded = await settingsOfRun(run, args.options, io);
    const isJson = args.options['json'] === true;
    const isQuiet = args.options['quiet'] === true;
    return showRun(
      loaded,
      { io, isJson, isQuiet, isIsolationWaived: isIsolationWaived(args.options) },
      (app, signal) => app.resumeRun(run, signal),
    );
  },
};

/** The run that is named; else the latest that is parked. */
async function findParked({ positionals }: CommandArguments, io: CommandIo): Promise<RunRecord> {
  const { openStores } = await import('../../coordinator/open-stores.ts');
  const places = findPlaces(io.environment, io.cwd);
  makePlaces(places);
  const stores = openStores(places.stateDir, { redactor: redactorOfNames(io.environment) });
  try {
    const [id] = positionals;
    if (id !== undefined) return findRun(stores.runs, id);
    const [latest] = stores.runs.list({ limit: 1, status: 'parked' });
    if (latest) return latest;
    throw new AppError('USAGE', { problem: 'No run is parked (see `capstan runs list`).' });
  } finally {
    stores.close();
  }
}
