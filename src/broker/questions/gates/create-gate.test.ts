import { beforeEach, describe, expect, it } from 'vitest';
import type { Approver } from '../../../../test/setup/broker-parts.ts';
import {
  addRun,
  brokerPartsOf,
  policyWith,
  runScopeOf,
} from '../../../../test/setup/broker-parts.ts';
import { temporaryDatabase } from '../../../../test/setup/temporary-database.ts';
import type { Db } from '../../../db/open-database.ts';
import type { BrokerParts } from '../../calls/parts.ts';
import type { RunScope } from '../../intent/scope.ts';
import { createRecordPool } from '../../recall/record-pool.ts';
import { recoverIntent } from '../../recall/recover-intent.ts';
import { createCreateGate, incompleteCapsules } from './create-gate.ts';

let db: Db;
beforeEach(() => {
  ({ db } = temporaryDatabase());
  addRun(db, 'run-1');
});

const draft = { manifest: { id: 'bard', description: 'Rewrites poems.' }, overlay: 'You rhyme.' };
const made = { capsuleId: 'bard', dir: '/agents/bard', hash: 'c0ffee' };

let asked = 0;
let begun = 0;
const approver: Approver = {
  async ask() {
    asked += 1;
    return { answer: 'approve', by: 'terminal' };
  },
};

/** The run in one process, with the record of the previous process. */
function life(changes: Partial<BrokerParts> = {}, gate: 'auto' | 'allow' = 'auto') {
  const parts = brokerPartsOf(db, { approver, ...changes });
  const run = runScopeOf({
    id: 'run-1',
    workspace: '/w',
    policy: policyWith({ gates: { create: gate } }),
  });
  const record = createRecordPool(parts.journal.intentsOf('run-1'));
  const scope: RunScope = { ...run, coordinator: { ...run.coordinator, record } };
  const create = (make: () => Promise<typeof made>) =>
    createCreateGate(parts)({
      scope: scope.coordinator,
      draft,
      make,
      begin: () => {
        begun += 1;
      },
    });
  return { parts, scope, create };
}

/** What opening the database does for a run whose process died. */
function recover({ journal, ...stores }: BrokerParts): void {
  const run = { workspace: '/w', policyVersion: 'v' };
  journal.commit(() => {
    for (const intent of journal.openIntentsOf('run-1'))
      journal.saveSoon(recoverIntent(intent, { ...stores, run, capsuleHash: '' }));
  });
}

describe('a capsule whose process died after its creation and before the row was written', () => {
  it.each([
    ['agreed to by a person', 'auto', 1],
    ['allowed by the gate', 'allow', 0],
  ] as const)(
    'is recognized by its draft and not created again, if it was %s',
    async (_what, gate, questions) => {
      [asked, begun] = [0, 0];
      const died = life({}, gate);
      const { save } = died.parts.journal;
      const dying = {
        ...died.parts.journal,
        save(...args: Parameters<typeof save>) {
          if (args[0].status === 'done') throw new Error('it died');
          save(...args);
        },
      };
      await expect(life({ journal: dying }, gate).create(async () => made)).rejects.toThrow(
        'it died',
      );
      recover(died.parts);
      const { parts, scope, create } = life({}, gate);
      expect(incompleteCapsules(scope)).toEqual(['bard']);
      expect(await create(async () => made)).toEqual({
        capsuleId: 'bard',
        isByPerson: gate === 'auto',
      });
      expect(incompleteCapsules(scope)).toEqual([]);
      expect(parts.journal.intentsOf('run-1')).toMatchObject([{ status: 'done', target: 'bard' }]);
      expect(asked).toBe(questions);
      expect(begun).toBe(1);
      expect(parts.agreed.hashOf('bard', '/agents/bard')).toBe('c0ffee');
    },
  );
});
