import { tmpdir } from 'node:os';
import type { Approver } from '../broker/questions/approval-store.ts';
import { loadPolicy } from '../broker/rules/load-policy.ts';
import { processEnvironment } from '../config/environment.ts';
import { makePlaces } from '../config/places.ts';
import type { Project, Settings } from '../config/settings.ts';
import { openStores, type Stores } from '../coordinator/open-stores.ts';
import { resumeRun } from '../coordinator/resume-run.ts';
import { type RunDocument, runDocument } from '../coordinator/run-document.ts';
import { createRunGraph, type RunGraph } from '../coordinator/run-graph.ts';
import type { RunRecord } from '../coordinator/run-store.ts';
import { startRun } from '../coordinator/start-run.ts';
import { createEventBus, type EventBus } from '../events/bus.ts';
import { chooseProvider, type ProviderChoice } from '../llm/choose-provider.ts';
import { removeLeftFolders } from '../platform/temporary-folder.ts';
import { hostsInText } from '../policy/hosts-in-text.ts';
import type { CapsuleRunner } from '../runtime/runner.ts';
import { toolbox } from '../tools/toolbox.ts';
import { endAtOnce } from './wiring/end-at-once.ts';
import {
  assertIsolation,
  isolationNotices,
  isolationRecord,
  openIsolation,
} from './wiring/isolation.ts';
import { keepEvents } from './wiring/keep-events.ts';
import { redactorFor } from './wiring/known-secrets.ts';
import { openCheckpoints } from './wiring/open-checkpoints.ts';
import { openConfiguredApis } from './wiring/open-configured-apis.ts';
import { type Opened, openParts, type Wiring } from './wiring/open-parts.ts';

export interface AppOptions {
  readonly settings: Settings;
  /** The Capstan files of the workspace, and which of them are trusted. Default: there are none. */
  readonly project?: Project;
  /** A rules file to use instead of the user's `policy.yaml`. */
  readonly policyFile?: string | undefined;
  /** Run without isolation, at the user's own risk. Default: false. */
  readonly isIsolationWaived?: boolean;
  /** Undefined where nobody can be asked. */
  readonly approver?: Approver;
  /** What carries a run out between its beginning and its end. Default: the graph of plan, pool and synthesis. */
  readonly graph?: RunGraph;
  /** Default: processes in the sandbox in force. */
  readonly runCapsule?: CapsuleRunner;
  /** Told while a model is downloaded or capsules are embedded. */
  readonly onProgress?: Wiring['onProgress'];
  readonly now?: () => Date;
}

export interface RunWish {
  readonly task: string;
  readonly namedCapsule?: string;
  /** Aborting cancels the run. */
  readonly signal: AbortSignal;
}

/** The product, ready to run tasks in one workspace. */
export interface App {
  readonly events: EventBus;
  readonly stores: Stores;
  readonly provider: ProviderChoice;
  /** The level in force and why: `A: …`. */
  readonly isolation: string;
  /** What the person should know before anything starts. */
  readonly notices: readonly string[];
  /** Carries out one task; what fails to open on the way ends the run like any other failure. */
  startRun(wish: RunWish): Promise<RunRecord>;
  /**
   * Goes on with a parked run.
   *
   * @throws AppError `RUN_NOT_PARKED`.
   */
  resumeRun(run: RunRecord, signal: AbortSignal): Promise<RunRecord>;
  documentOf(run: RunRecord): RunDocument;
  /** Ends every process that was started, at once. */
  killNow(): void;
  close(): Promise<void>;
}

/**
 * Builds the product from its settings. The one place that knows every part, and it decides nothing.
 *
 * @throws AppError `DATABASE_NEWER`, `DATABASE_UNREADABLE`, `SETTINGS_INVALID`.
 */
export async function openApp(options: AppOptions): Promise<App> {
  const { settings, project, policyFile, approver, now = () => new Date() } = options;
  makePlaces(settings.places);
  const choice = await chooseProvider({
    setting: settings.provider,
    keys: settings.keys,
    ollamaBaseUrl: settings.baseUrls.ollama,
  });
  const policy = await loadPolicy({
    settings,
    project,
    policyFile,
    cwd: process.cwd(),
    environment: processEnvironment(),
    tools: toolbox,
  });
  const { services, notices } = await openConfiguredApis(settings);
  const isolation = await openIsolation(settings, options.isIsolationWaived === true);
  const redactor = redactorFor(settings, services);
  const stores = openStores(settings.places.stateDir, { now, redactor });
  void removeLeftFolders([tmpdir(), settings.places.stateDir]);
  const events = createEventBus(now, { clean: redactor.redact });
  const log = keepEvents(events, stores, settings.places.stateDir);
  const checkpoints = openCheckpoints(stores.path);
  const parts = { stores, events, choice, services, isolation };
  const wiring: Wiring = {
    settings,
    project,
    approver,
    runCapsule: options.runCapsule,
    onProgress: options.onProgress,
    ...parts,
  };
  const ground = {
    ...stores,
    events,
    isSomebodyThere: () => approver !== undefined,
    isolation: isolationRecord(isolation),
    graph: options.graph ?? createRunGraph(checkpoints.open),
  };
  let opened: Promise<Opened> | undefined;
  const open = async (before?: string) => {
    assertIsolation(settings, isolation, before);
    opened ??= openParts(wiring);
    return (await opened).parts;
  };

  return {
    events,
    stores,
    provider: choice,
    isolation: ground.isolation,
    notices: [...isolationNotices(isolation), ...policy.notices, ...notices],
    startRun(wish) {
      const namedHosts = new Set([...settings.hosts, ...hostsInText(wish.task)]);
      const { workspace } = settings;
      const begun = { workspace, provider: choice.name, options: optionsOf(settings), policy };
      return startRun(ground, { ...wish, ...begun, namedHosts }, () => open());
    },
    resumeRun: (run, signal) => resumeRun(ground, run, { signal, open: () => open(run.isolation) }),
    documentOf: (run) => runDocument(stores, run),
    killNow: () => endAtOnce(stores),
    async close() {
      await opened?.then(({ close }) => close()).catch(() => {});
      log.flush();
      checkpoints.close();
      stores.close();
    },
  };
}

/** What the run began with, for its row: everything but keys and places. */
function optionsOf({ keys: _keys, places: _places, network: _network, ...rest }: Settings) {
  return rest;
}
