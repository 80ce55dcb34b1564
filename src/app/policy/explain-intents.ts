import {
  type ExplainContext,
  type Explanation,
  explainIntent,
} from '../../broker/explain-intent.ts';
import { loadPolicy } from '../../broker/rules/load-policy.ts';
import type { LoadedSettings } from '../../config/settings.ts';
import { readCapsules } from '../../registry/capsule-store.ts';
import { toolbox } from '../../tools/toolbox.ts';
import { storesIfAny } from '../capsules/capsule-records.ts';
import type { AppContext } from '../context/open-context.ts';
import { openIsolation } from '../wiring/isolation.ts';
import { openConfiguredApis } from '../wiring/models/open-configured-apis.ts';
import { protectionFor } from '../wiring/protection.ts';
import { capsuleRoots } from '../wiring/registry/capsule-roots.ts';
import { parseIntent } from './parse-intent.ts';
import { type PolicyOptions, policySources } from './policy-sources.ts';

/** Decides on each intent with the real grants, rules, trust and files, and performs nothing. */
export async function explainIntents(
  context: AppContext,
  intents: readonly unknown[],
  options: PolicyOptions = {},
): Promise<readonly Explanation[]> {
  const parsed = intents.map((intent, at) => parseIntent(intent, `intents[${at}]`));
  const { loaded, sources } = await policySources(context, options);
  const { settings } = loaded;
  const { services } = await openConfiguredApis(settings, context.environment);
  const { trust, files } = (await storesIfAny(context)) ?? noRows;
  const facts: ExplainContext = {
    tools: toolbox,
    policy: await loadPolicy(sources, ({ where, problem }) =>
      options.onNotice?.(`no run starts: ${where}: ${problem}`),
    ),
    grantsOf: grantsFinder(loaded),
    workspace: settings.workspace,
    namedHosts: settings.hosts,
    isolation: (await openIsolation(settings, false)).level,
    parts: {
      redactor: context.redactor,
      surroundings: { isProtected: protectionFor(settings) },
      services: new Map(services.map((service) => [service.name, service])),
      files,
    },
    trust,
  };
  const explanations: Explanation[] = [];
  for (const intent of parsed) explanations.push(await explainIntent(intent, facts));
  return explanations;
}

function grantsFinder(loaded: LoadedSettings): ExplainContext['grantsOf'] {
  const { capsules } = readCapsules(capsuleRoots(loaded));
  return (id) => {
    if (id === 'coordinator') return { grants: new Map(), services: [] };
    const grants = capsules.find((capsule) => capsule.id === id)?.manifest.grants;
    return grants && { grants: new Map(Object.entries(grants.tools)), services: grants.services };
  };
}

/** The parts of a decision if there is no database yet. None is created. */
const noRows: Pick<ExplainContext, 'trust'> & Pick<ExplainContext['parts'], 'files'> = {
  files: { knownTo: () => undefined, lastWritten: () => undefined },
  trust: { levelsOf: () => ({ 1: 'supervised', 2: 'supervised' }) },
};
