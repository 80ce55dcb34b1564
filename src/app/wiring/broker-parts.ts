import { dirname } from 'node:path';
import type { BrokerParts, ToolSurroundings } from '../../broker/calls/parts.ts';
import { createChangeRecorder } from '../../broker/changes/change-recorder.ts';
import { createBreakerStore } from '../../broker/money/breaker-store.ts';
import type { LoadedServices } from '../../config/files/configured-apis.ts';
import type { Settings } from '../../config/settings.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import type { EventBus } from '../../events/bus.ts';
import type { Hooks } from '../../hooks/hooks.ts';
import { proxiesOf } from '../../llm/http/proxies.ts';
import type { PriceList } from '../../llm/prices/prices.ts';
import type { Provider } from '../../llm/provider.ts';
import type { Isolation } from '../../runtime/sandbox/find/find-isolation.ts';
import { readIdentity } from '../../tools/git/read-identity.ts';
import { toolbox } from '../../tools/toolbox.ts';
import type { Environment } from '../context/open-context.ts';
import { gitConfigsOf, processProtectionFor, protectionFor } from './protection.ts';

/** Maximum size of the result of one tool call. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

export interface BrokerWiring {
  readonly settings: Settings;
  readonly stores: Stores;
  readonly provider: Provider;
  /** Default: none. */
  readonly fallbacks?: readonly Provider[];
  readonly prices: PriceList;
  readonly services: LoadedServices['services'];
  readonly hooks: Hooks;
  readonly events: EventBus;
  readonly canAnswer: BrokerParts['canAnswer'];
  readonly environment: Environment;
  readonly isolation: Isolation;
  /** Paths outside the workspace that Git needs; commands may read them. Default: none. */
  readonly gitPaths?: readonly string[] | undefined;
}

/** Builds the parts of the broker from the settings. */
export function brokerParts(wiring: BrokerWiring): BrokerParts {
  const { settings, stores, provider, prices, services, hooks, events, isolation } = wiring;
  const isProtected = protectionFor(settings);
  const changes = createChangeRecorder({
    ...stores,
    stateDir: dirname(stores.path),
    maxBytes: settings.undoBytes,
    // Only a sandbox of level A or B keeps a command with `read` from writing.
    mayWrite: (access) => access === 'write' || !['A', 'B'].includes(isolation.level),
    isProtected,
  });
  return {
    ...stores,
    tools: toolbox,
    provider,
    fallbacks: wiring.fallbacks ?? [],
    events,
    hooks,
    canAnswer: wiring.canAnswer,
    approvalDeadlineMs: settings.approvalDeadlineMs,
    isolation: isolation.level,
    isolationReason: isolation.reason,
    prices,
    breakers: createBreakerStore(stores.db, settings.breaker, stores.now),
    limits: {
      maxIntents: settings.maxIntents,
      toolTimeoutMs: settings.toolTimeoutMs,
      modelTimeoutMs: settings.modelTimeoutMs,
      modelRetryMs: settings.modelRetryMs,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    },
    services: new Map(services.map((service) => [service.name, service])),
    changes,
    surroundings: surroundingsOf(wiring, isProtected),
  };
}

/** Read with the first command: Git is started for it. */
function gitIdentityOf({ HOME, XDG_CONFIG_HOME }: Environment): ToolSurroundings['gitIdentity'] {
  let known: Promise<string | undefined> | undefined;
  return (searchPath) => {
    known ??= readIdentity({ HOME, XDG_CONFIG_HOME }, searchPath);
    return known;
  };
}

function surroundingsOf(
  { settings, isolation, environment, gitPaths }: BrokerWiring,
  isProtected: ToolSurroundings['isProtected'],
): ToolSurroundings {
  return {
    sandbox: isolation.sandbox,
    isProtected,
    isClosedToProcesses: processProtectionFor(settings),
    isGitConfig: gitConfigsOf(settings),
    gitPaths,
    gitIdentity: gitIdentityOf(environment),
    privateOrigins: new Set(settings.privateOrigins),
    proxies: proxiesOf(settings.network),
    ownFolder: settings.places.stateDir,
    searchPath: environment['PATH'],
  };
}
