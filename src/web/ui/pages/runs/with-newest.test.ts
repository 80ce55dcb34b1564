import { describe, expect, it } from 'vitest';
import type { RunList, RunRow } from '../../../../contract/documents/run-documents.ts';
import { withNewest } from './with-newest.ts';

const page = (ids: string, next: string | null = ids.at(-1) ?? null): RunList => ({
  runs: [...ids].map((id) => ({ id }) as RunRow),
  next,
});
const idsOf = (pages: readonly RunList[]) =>
  pages.map(({ runs }) => runs.map(({ id }) => id).join(''));
const merged = (pages: RunList[], newest: RunList) =>
  withNewest({ pages, pageParams: pages.map(() => '') }, newest);

describe('the newest page of runs', () => {
  it('puts new runs first, and loses none that it pushed out', () => {
    const { pages } = merged([page('fe'), page('dc')], page('hg'));
    expect(idsOf(pages)).toEqual(['hgfe', 'dc']);
    expect(pages.at(-1)?.next).toBe('c');
  });

  it('drops a run that no longer matches', () => {
    expect(idsOf(merged([page('fed'), page('cb')], page('fdc')).pages)).toEqual(['fdc', 'b']);
  });

  it('goes on after itself where it is all that is known', () => {
    const { pages } = merged([page('fe')], page('fe'));
    expect([idsOf(pages), pages[0]?.next]).toEqual([['fe'], 'e']);
  });

  it('replaces everything if no older run is left', () => {
    const { pages } = merged([page('fe'), page('dc')], page('f', null));
    expect([idsOf(pages), pages.at(-1)?.next]).toEqual([['f'], null]);
  });
});
