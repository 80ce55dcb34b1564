import { redactorOfNames } from '../../app/wiring/known-secrets.ts';
import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { makePlaces } from '../../config/places.ts';
import type { Settings } from '../../config/settings.ts';
import type { RunRecord } from '../../coordinator/run-store.ts';
import type { SubtaskRecord } from '../../coordinator/subtask-store.ts';
import type { Quarantine } from '../../registry/quarantine.ts';
import type { Registry } from '../../registry/registry.ts';
import type { CommandArguments, CommandIo } from '../command.ts';
import { createProgressLine } from '../progress-line.ts';

export interface RouteCorrectionWish {
  readonly task: string;
  readonly capsuleId: string;
  readonly insteadOf: string | undefined;
}

/** What `capstan route` works with: the registry as a run would have it, and the receipts of earlier runs. */
export interface RouteGround {
  readonly registry: Registry;
  /** Whether a run would have a language model; it is not asked. */
  readonly hasModel: boolean;
  /** Who chooses from a close short list. */
  readonly judge: Settings['route']['judge'];
  readonly quarantine: Quarantine;
  findRun(id: string): RunRecord;
  subtasksOf(runId: string): readonly SubtaskRecord[];
  /** In one transaction with its line in the audit. */
  noteCorrection(wish: RouteCorrectionWish): void;
}

export async function withRouteGround(
  args: CommandArguments,
  io: CommandIo,
  body: (ground: RouteGround) => Promise<number>,
): Promise<number> {
  const { settings, project } = await loadSettings({
    flags: args.options,
    environment: io.environment,
    cwd: io.cwd,
    installFolder: installFolder(),
  });
  makePlaces(settings.places);
  const { openStores } = await import('../../coordinator/open-stores.ts');
  const { findRun } = await import('../../coordinator/find-run.ts');
  const { chooseProvider } = await import('../../llm/choose-provider.ts');
  const { openRegistry } = await import('../../app/wiring/open-registry.ts');
  const line = createProgressLine(io, 'Embedding what capsules are for');
  const { name: provider } = await chooseProvider({
    setting: settings.provider,
    keys: settings.keys,
    ollamaBaseUrl: settings.baseUrls.ollama,
  });
  const stores = openStores(settings.places.stateDir, {
    redactor: redactorOfNames(io.environment),
  });
  try {
    const onProgress = line.tell;
    const { registry, close } = await openRegistry({ settings, project, onProgress }, stores);
    try {
      const { problems } = await registry.sync();
      line.end();
      for (const problem of problems) io.stderr(`! ${problem}\n`);
      const { audit, quarantine, runs, subtasks } = stores;
      return await body({
        registry,
        hasModel: provider !== 'offline',
        judge: settings.route.judge,
        quarantine,
        findRun: (id) => findRun(runs, id),
        subtasksOf: (runId) => subtasks.of(runId),
        noteCorrection: ({ task, capsuleId, insteadOf }) =>
          audit.inOne(() => {
            registry.correct(task, capsuleId, insteadOf);
            const detail = { task, instead_of: insteadOf ?? null };
            const line = { actor: 'person:cli', action: 'route.corrected', runId: null };
            audit.append({ ...line, ref: capsuleId, detail });
          }),
      });
    } finally {
      await close();
    }
  } finally {
    line.end();
    stores.close();
  }
}
