import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TemporaryCapsules, temporaryCapsules } from '../../test/setup/temporary-capsules.ts';
import { readCapsules } from '../registry/capsule-store.ts';
import { isAsShipped } from './agreed-capsule.ts';

let capsules: TemporaryCapsules;
beforeEach(() => {
  capsules = temporaryCapsules();
});
afterEach(() => capsules.remove());

const only = () => {
  const [capsule] = readCapsules(capsules.roots).capsules;
  if (!capsule) throw new Error('no capsule was read');
  return capsule;
};

it('a shipped capsule counts as unchanged after an update of its own overlay', () => {
  capsules.writeCapsule('shipped/one');
  expect(isAsShipped(only())).toBe(true);
  capsules.write('shipped/one/skill.md', 'what the next version says');
  expect(isAsShipped(only())).toBe(true);
});

it("a shipped capsule with the user's overlay, and a capsule of the user, are not as they ship", () => {
  capsules.writeCapsule('shipped/one');
  capsules.write('personal/one/skill.md', 'as I want it');
  expect(isAsShipped(only())).toBe(false);
  capsules.writeCapsule('personal/two');
  const [, own] = readCapsules(capsules.roots).capsules;
  expect(own && isAsShipped(own)).toBe(false);
});
