import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TrialParts } from '../../../authoring/trials/run-trial.ts';
import { createBroker } from '../../../broker/answer.ts';
import { policyOf } from '../../../broker/rules/policy-snapshot.ts';
import { installFolder } from '../../../config/files/install-folder.ts';
import type { Settings } from '../../../config/settings.ts';
import { noHooks } from '../../../hooks/hooks.ts';
import { createPriceList } from '../../../llm/prices/prices.ts';
import { openProvider } from '../../../llm/providers.ts';
import { makeTemporaryFolder } from '../../../platform/files/temporary-folder.ts';
import { toolbox } from '../../../tools/toolbox.ts';
import { type AppContext, temporaryStores } from '../../context/open-context.ts';
import { brokerParts } from '../broker-parts.ts';
import { assertIsolation, isolated, isolationRecord, openIsolation } from '../isolation.ts';
import { openConfiguredApis } from '../models/open-configured-apis.ts';

/**
 * Opens the parts that trials of capsules run with: a database in a temporary folder, no hooks and rules of the user's, and
 * the sandbox in force.
 *
 * @param isWaived Whether the user waived the sandbox.
 */
export async function openTrials(
  settings: Settings,
  { redactor, environment }: Pick<AppContext, 'redactor' | 'environment'>,
  isWaived: boolean,
): Promise<TrialParts & { close(): void }> {
  const isolation = await openIsolation(settings, isWaived);
  assertIsolation(settings, isolation, undefined);
  const dir = makeTemporaryFolder('trials');
  const stores = (await temporaryStores(redactor))(dir);
  // At a lower level, a command could leave the trial's folder without a question.
  const execute = isolation.level === 'A' ? 'auto' : 'deny';
  const { policy } = await policyOf({ ...TRIAL_POLICY, gates: { ...TRIAL_POLICY.gates, execute } });
  const { services } = await openConfiguredApis(settings, environment);
  const provider = await openProvider('offline', settings);
  const prices = createPriceList();
  // Services are only needed to redact their credentials: none is granted.
  const plain = { stores, provider, prices, services, hooks: noHooks };
  return {
    stores,
    tools: toolbox,
    policy,
    runCapsule: isolated(isolation, settings),
    limits: { ...settings, memoryTokens: 0 },
    isolation: isolationRecord(isolation),
    sdk: join(installFolder(), 'dist/capsule-sdk.cjs'),
    brokerFor(workspace, { events }) {
      const own = { ...settings, workspace, openPaths: [], privateOrigins: [] };
      const asking = { events, canAnswer: () => false, environment };
      const wiring = { ...plain, ...asking, settings: own, isolation };
      return createBroker(brokerParts(wiring));
    },
    close() {
      stores.close();
      provider.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Approves every question, since a trial can't affect anything outside its folder. */
const TRIAL_POLICY = {
  version: 1,
  rules: [],
  gates: { create: 'deny', spend: 'deny', write: 'auto' },
  approveMode: 'allow',
  budget: { runMicroUsd: 0, runMicroUsdSetByPerson: false, dayMicroUsd: 0 },
} as const;
