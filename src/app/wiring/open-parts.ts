import { homedir } from 'node:os';
import { join } from 'node:path';
import { createBroker } from '../../broker/answer.ts';
import { createCapsuleGate } from '../../broker/questions/gates/capsule-gate.ts';
import { createChooseGate } from '../../broker/questions/gates/choose-gate.ts';
import { createCreateGate } from '../../broker/questions/gates/create-gate.ts';
import { createPlanGate } from '../../broker/questions/gates/plan-gate.ts';
import { agentsFolder, capsuleHome } from '../../config/files/agent-folders.ts';
import { readHooksFile } from '../../config/files/hooks-file.ts';
import { installFolder } from '../../config/files/install-folder.ts';
import type { Project, Settings } from '../../config/settings.ts';
import { ModelHint } from '../../contract/wire/chat.ts';
import type { RunParts } from '../../coordinator/context/run-context.ts';
import { listWorkspace } from '../../coordinator/plan/make/workspace-listing.ts';
import { createHooks, type Hooks, noHooks } from '../../hooks/hooks.ts';
import type { ProviderChoice } from '../../llm/choose-provider.ts';
import type { PriceList } from '../../llm/prices/prices.ts';
import type { Provider } from '../../llm/provider.ts';
import { openProvider } from '../../llm/providers.ts';
import { MEMORY_TOKENS } from '../../memory/open-memory.ts';
import type { CapsuleRunner } from '../../runtime/runner.ts';
import { toolbox } from '../../tools/toolbox.ts';
import type { AppContext } from '../context/open-context.ts';
import { type BrokerWiring, brokerParts } from './broker-parts.ts';
import { isolated, isolationRecord } from './isolation.ts';
import { openFallbacks } from './models/open-fallbacks.ts';
import { protectionFor } from './protection.ts';
import type { RegistryPool } from './registry/registry-pool.ts';
import { workspaceNotes } from './workspace-notes.ts';

interface Wiring extends Omit<BrokerWiring, 'provider' | 'fallbacks'> {
  readonly project: Project;
  /** Default: processes in the sandbox in force. */
  readonly runCapsule: CapsuleRunner | undefined;
  readonly registries: RegistryPool;
  readonly choice: ProviderChoice;
  /** Called while a model is downloaded or capsules are embedded. */
  readonly onProgress?: ((done: number, total: number, shown?: string) => void) | undefined;
}

/** The parts of one run. Closed when the run ends. */
export type Opened = Awaited<ReturnType<typeof openParts>>;

/** Opens the parts that may fail to open: the provider and the embedder. */
export async function openParts(wiring: Wiring) {
  const { settings, project, stores, events, choice, isolation, hooks } = wiring;
  const provider = await openProvider(choice.name, settings);
  const fallbacks = await openFallbacks(settings, choice.name);
  const canSpend = await costsMoney(wiring.prices, [provider, ...fallbacks]);
  const { registry, close: closeRegistry } = await wiring.registries.take(wiring);
  const broker = brokerParts({ ...wiring, provider, fallbacks });
  const parts: RunParts = {
    ...stores,
    hooks,
    broker: createBroker(broker),
    gates: {
      create: createCreateGate(broker),
      capsule: createCapsuleGate(broker),
      plan: createPlanGate(broker),
      choose: settings.route.judge === 'person' ? createChooseGate(broker) : undefined,
    },
    registry,
    events,
    canAnswer: wiring.canAnswer,
    tools: toolbox,
    runCapsule: wiring.runCapsule ?? isolated(isolation, settings),
    limits: { ...settings, memoryTokens: MEMORY_TOKENS },
    paths: pathsOf(settings),
    listWorkspace: () => listWorkspace(settings.workspace, protectionFor(settings)),
    provider,
    canSpend,
    isolation: isolationRecord(isolation),
    workspaceNotes: workspaceNotes(project),
  };
  return {
    parts,
    async close() {
      for (const one of [provider, ...fallbacks]) one.close();
      await closeRegistry();
    },
  };
}

/** Whether a model has a price: the user's own, or that of its vendor. */
async function costsMoney(prices: PriceList, providers: readonly Provider[]): Promise<boolean> {
  const models = providers.flatMap(({ name, origin, modelFor }) =>
    [...new Set(ModelHint.options.map(modelFor))].map((model) => ({
      provider: name,
      model,
      origin,
    })),
  );
  const quotes = await Promise.all(models.map(prices.quote));
  const usage = { input_tokens: 1_000_000, cached_input_tokens: 0, output_tokens: 1_000_000 };
  return quotes.some((quote) => quote.costMicroUsd(usage) > 0);
}

function pathsOf({ places, workspace }: Settings): RunParts['paths'] {
  const agentsDir = agentsFolder(places);
  return {
    sdk: join(installFolder(), 'dist/capsule-sdk.cjs'),
    agentsDir,
    templateDir: join(installFolder(), 'capsule-template'),
    homeOf: (capsule) => capsuleHome(places, workspace, capsule),
  };
}

/** The user's hooks, from `hooks.yaml` of the settings folder. */
export async function openHooks(
  { places }: Settings,
  { events, redactor, environment }: Pick<AppContext, 'events' | 'redactor' | 'environment'>,
): Promise<Hooks> {
  const hooks = await readHooksFile(places.configDir);
  if (hooks.length === 0) return noHooks;
  return createHooks(hooks, {
    searchPath: environment['PATH'] ?? '/usr/bin:/bin',
    home: homedir(),
    clean: redactor.redact,
    onProblem: (run_id, text) => events.emit({ type: 'run.noticed', run_id, text }),
  });
}
