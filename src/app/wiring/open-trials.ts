import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TrialGround } from '../../authoring/run-trial.ts';
import { createBroker } from '../../broker/answer.ts';
import { policyOf } from '../../broker/rules/policy-snapshot.ts';
import { installFolder } from '../../config/install-folder.ts';
import type { Settings } from '../../config/settings.ts';
import { openStores } from '../../coordinator/open-stores.ts';
import { noHooks } from '../../hooks/hooks.ts';
import { createPriceList } from '../../llm/prices.ts';
import { openProvider } from '../../llm/providers.ts';
import { makeTemporaryFolder } from '../../platform/temporary-folder.ts';
import { toolbox } from '../../tools/toolbox.ts';
import { brokerParts } from './broker-parts.ts';
import { assertIsolation, isolated, isolationRecord, openIsolation } from './isolation.ts';
import { redactorFor } from './known-secrets.ts';
import { openConfiguredApis } from './open-configured-apis.ts';

export interface Trials extends TrialGround {
  close(): void;
}

/**
 * What trials of capsules are made with: a database of their own in a folder that is gone afterwards, no hook and no rule
 * of the person's, and the sandbox that is in force.
 *
 * @throws AppError `ISOLATION_REFUSED`, `ISOLATION_MISSING`.
 */
export async function openTrials(settings: Settings, isWaived: boolean): Promise<Trials> {
  const isolation = await openIsolation(settings, isWaived);
  assertIsolation(settings, isolation, undefined);
  const dir = makeTemporaryFolder('trials');
  // Elsewhere a command could reach beyond the trial's folder, and nobody is asked about it.
  const execute = isolation.level === 'A' ? 'auto' : 'deny';
  const { policy } = await policyOf({ ...AGREED, gates: { ...AGREED.gates, execute } });
  const { services } = await openConfiguredApis(settings);
  const stores = openStores(dir, { redactor: redactorFor(settings, services) });
  const provider = await openProvider('offline', settings);
  const prices = createPriceList();
  // Keys and credentials are there to be redacted: nothing that would use them is granted.
  const plain = { stores, provider, prices, services, hooks: noHooks, approver: undefined };
  return {
    stores,
    tools: toolbox,
    policy,
    runCapsule: isolated(isolation, settings),
    limits: { ...settings, memoryTokens: 0 },
    isolation: isolationRecord(isolation),
    sdk: join(installFolder(), 'dist/capsule-sdk.cjs'),
    brokerFor(workspace, { events }) {
      const here = { ...settings, workspace, openPaths: [], privateOrigins: [] };
      const wiring = { ...plain, settings: here, events, isolation };
      return createBroker(brokerParts(wiring));
    },
    close() {
      stores.close();
      provider.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Nothing beyond the trial's own folder can be reached: what would be asked there is taken as agreed to. */
const AGREED = {
  version: 1,
  rules: [],
  gates: { create: 'deny', spend: 'deny', write: 'auto' },
  approveMode: 'allow',
  budget: { runMicroUsd: 0, runMicroUsdSetByPerson: false, dayMicroUsd: 0 },
} as const;
