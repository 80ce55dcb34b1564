import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import type { Approver } from './broker/approvals.ts';
import { createBreakerStore } from './broker/breaker-store.ts';
import { createBroker } from './broker/broker.ts';
import { createBudget } from './broker/budget.ts';
import { createCapsuleGate } from './broker/capsule-gate.ts';
import { createCreateGate } from './broker/create-gate.ts';
import { tableSink } from './broker/event-table.ts';
import { loadPolicy } from './broker/load-policy.ts';
import type { BrokerParts } from './broker/parts.ts';
import { processEnvironment } from './config/environment.ts';
import { installFolder } from './config/install-folder.ts';
import { makePlaces } from './config/places.ts';
import { isFolderTrusted } from './config/project-files.ts';
import type { Project, Settings } from './config/settings.ts';
import { openStores, type Stores } from './coordinator/open-stores.ts';
import { resumeRun } from './coordinator/resume-run.ts';
import type { RunParts } from './coordinator/run-context.ts';
import { type RunDocument, runDocument } from './coordinator/run-document.ts';
import { createRunGraph } from './coordinator/run-graph.ts';
import type { RunRecord } from './coordinator/run-store.ts';
import { startRun } from './coordinator/start-run.ts';
import { keepStatements } from './db/keep-statements.ts';
import { openRelaxedConnection } from './db/open-database.ts';
import { openEmbedder } from './embeddings/open-embedder.ts';
import { AppError } from './errors.ts';
import { createEventBus, type EventBus } from './events/bus.ts';
import { createEventLog, jsonlSink } from './events/event-log.ts';
import { chooseProvider, type ProviderChoice } from './llm/choose-provider.ts';
import { loadOwnPrices } from './llm/own-prices.ts';
import { createPriceList, type PriceList } from './llm/prices.ts';
import type { Provider } from './llm/provider.ts';
import { openProvider } from './llm/providers.ts';
import { hostsInText } from './policy/hosts-in-text.ts';
import { isProtectedPath } from './policy/protected-paths.ts';
import { createRedactor } from './policy/redact.ts';
import { createRegistry } from './registry/registry.ts';
import { killAllCapsules } from './runtime/launch.ts';
import { runCapsule } from './runtime/runner.ts';
import { toolbox } from './tools/toolbox.ts';

export interface AppOptions {
  readonly settings: Settings;
  /** The Capstan files of the workspace, and which of them are trusted. Default: there are none. */
  readonly project?: Project;
  /** `--policy FILE`: stands before the person's `policy.yaml`. */
  readonly policyFile?: string | undefined;
  /** Undefined where nobody can be asked. */
  readonly approver?: Approver;
  /** Default: real processes. */
  readonly runCapsule?: typeof runCapsule;
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
 * @throws AppError `DATABASE_NEWER`, `DATABASE_UNREADABLE`.
 */
export async function openApp(options: AppOptions): Promise<App> {
  const { settings, project, policyFile, now = () => new Date() } = options;
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
  const stores = openStores(settings.places.stateDir, now);
  const events = createEventBus(now);
  const relaxed = openRelaxedConnection(stores.path);
  const log = createEventLog([jsonlSink(settings.places.stateDir), tableSink(relaxed)]);
  events.listen(log.add);
  const wiring: Wiring = { options, stores, events, choice };
  const isSomebodyThere = () => options.approver !== undefined;
  const ground = {
    ...stores,
    events,
    isSomebodyThere,
    isolation: ISOLATION,
    graph: createRunGraph(new SqliteSaver(keepStatements(relaxed))),
  };
  let opened: Promise<Opened> | undefined;
  const open = async () => {
    assertIsolation(settings);
    opened ??= openParts(wiring);
    return (await opened).parts;
  };

  return {
    events,
    stores,
    provider: choice,
    isolation: ISOLATION,
    notices: [NO_SANDBOX, ...policy.notices],
    async startRun({ task, ...wish }) {
      const request = {
        task,
        ...wish,
        workspace: settings.workspace,
        provider: choice.name,
        options: optionsOf(settings),
        policy,
        namedHosts: new Set([...settings.hosts, ...hostsInText(task)]),
      };
      return startRun(ground, request, open);
    },
    resumeRun: (run, signal) => resumeRun(ground, run, { signal, open }),
    documentOf: (run) => runDocument(stores, run),
    killNow: killAllCapsules,
    async close() {
      await opened?.then(({ close }) => close()).catch(() => {});
      log.flush();
      relaxed.close();
      stores.close();
    },
  };
}

interface Wiring {
  readonly options: AppOptions;
  readonly stores: Stores;
  readonly events: EventBus;
  readonly choice: ProviderChoice;
}

/** What is opened for the first run and kept for later ones. */
interface Opened {
  readonly parts: RunParts;
  close(): Promise<void>;
}

async function openParts({ options, stores, events, choice }: Wiring): Promise<Opened> {
  const { settings, approver } = options;
  const provider = await openProvider(choice.name, settings);
  const { registry, close: closeRegistry } = await openRegistry(options, stores);
  const prices = createPriceList(await loadOwnPrices(settings.places.configDir));
  const broker = brokerParts({ settings, stores, provider, prices, events, approver });
  const parts: RunParts = {
    ...stores,
    broker: createBroker(broker),
    gate: createCreateGate(broker),
    capsuleGate: createCapsuleGate(broker),
    registry,
    events,
    tools: toolbox,
    runCapsule: options.runCapsule ?? runCapsule,
    limits: { ...settings, memoryTokens: MEMORY_TOKENS },
    paths: pathsOf(settings),
    provider,
    isolation: ISOLATION,
    isSomebodyThere: () => approver !== undefined,
  };
  return {
    parts,
    async close() {
      provider.close();
      await closeRegistry();
    },
  };
}

/** Of a capsule's memory, this many tokens go into its request. */
const MEMORY_TOKENS = 1_000;

/** Most that one tool call may answer with. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** No sandbox is built yet: every child process runs with the rights of the person. */
const ISOLATION = 'none';

const NO_SANDBOX =
  'Capsules and tools run without a sandbox here (isolation level none): what they execute has your rights. Whatever they ask for is still decided by the broker.';

function assertIsolation({ isolation }: Settings): void {
  if (isolation !== 'auto') {
    throw new AppError('ISOLATION_REFUSED', { wanted: isolation, inForce: ISOLATION });
  }
}

interface BrokerWiring {
  readonly settings: Settings;
  readonly stores: Stores;
  readonly provider: Provider;
  readonly prices: PriceList;
  readonly events: EventBus;
  readonly approver: Approver | undefined;
}

function brokerParts(wiring: BrokerWiring): BrokerParts {
  const { settings, stores, provider, prices, events, approver } = wiring;
  const { places, workspace, openPaths, keys } = settings;
  const ownDirs = Object.values(places);
  const protection = { ownDirs, home: homedir(), workspace, openPaths };
  return {
    ...stores,
    tools: toolbox,
    provider,
    events,
    redactor: createRedactor(Object.values(keys).filter((key) => key !== undefined)),
    approver,
    approvalDeadlineMs: settings.approvalDeadlineMs,
    isolation: ISOLATION,
    budget: createBudget(stores),
    prices,
    breakers: createBreakerStore(stores.db, settings.breaker, stores.now),
    maxIntents: settings.maxIntents,
    toolTimeoutMs: settings.toolTimeoutMs,
    modelTimeoutMs: settings.modelTimeoutMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    privateOrigins: new Set(settings.privateOrigins),
    searchPath: processEnvironment()['PATH'],
    isProtected: (path, access) => isProtectedPath(path, access, protection),
  };
}

/** What the run began with, for its row: everything but keys and places. */
function optionsOf({ keys: _keys, places: _places, network: _network, ...rest }: Settings) {
  return rest;
}

async function openRegistry({ settings, project }: AppOptions, { db }: Stores) {
  const { places, route, embedder: name, modelDir } = settings;
  const packageDir = installFolder();
  const { cacheDir } = places;
  const embedder = await openEmbedder({ name, packageDir, modelDir, cacheDir });
  const registry = createRegistry({
    db,
    embedder,
    roots: {
      shipped: join(packageDir, 'agents'),
      personal: join(places.dataDir, 'agents'),
      project: project && {
        dir: join(project.folder, 'agents'),
        isTrusted: (id) => isFolderTrusted(project, `agents/${id}`),
      },
    },
    tools: [...toolbox.values()],
    thresholds: thresholdsOf(route),
  });
  return { registry, close: () => embedder.close() };
}

const thresholdsOf = ({ take, create }: Settings['route']) => ({
  ...(take === undefined ? {} : { take }),
  ...(create === undefined ? {} : { create }),
});

function pathsOf({ places, workspace }: Settings): RunParts['paths'] {
  const agentsDir = join(places.dataDir, 'agents');
  const project = createHash('sha256').update(workspace).digest('hex').slice(0, 16);
  const projectDir = join(places.dataDir, 'projects', project, 'agents');
  return {
    sdk: join(installFolder(), 'dist/capsule-sdk.cjs'),
    agentsDir,
    templateDir: join(installFolder(), 'capsule-template'),
    homeOf: ({ id, origin }) => join(origin === 'project' ? projectDir : agentsDir, id),
  };
}
