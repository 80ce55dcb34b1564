import { useCallback, useMemo, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { plural } from '../../lib/text/format.ts';
import { useKeys } from '../../lib/use-keys.ts';
import { Button } from '../../parts/input/button.tsx';
import { EmptyList, Failure, Loading } from '../../parts/states.tsx';
import { Top } from '../../parts/top.tsx';
import { Filters, filtersIn } from './filters.tsx';
import { RunTable } from './run-table.tsx';
import { useHeld } from './use-held.ts';
import { useRunList } from './use-run-list.ts';

/** Lists every run, grouped by session. The filters are in the address. */
export default function Runs() {
  const search = useSearch();
  const filters = useMemo(() => filtersIn(search), [search]);
  const list = useRunList(filters);
  const known = useMemo(() => list.data?.pages.flatMap((page) => page.runs) ?? [], [list.data]);
  const { runs, newCount, show, area } = useHeld(known, search);
  const [currentId, setCurrent] = useState<string>();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [, go] = useLocation();
  const at = Math.max(
    0,
    runs.findIndex(({ id }) => id === currentId),
  );
  const current = runs[at];
  const move = (by: number) =>
    setCurrent(runs[Math.max(0, Math.min(runs.length - 1, at + by))]?.id);
  const select = (id: string) =>
    setSelected(
      selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id].slice(-2),
    );
  const [one, other] = selected;
  const comparison = one && other && `/runs/${one}?compare=${other}`;
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => current && go(`/runs/${current.id}`),
    x: () => current && select(current.id),
    C: () => comparison && go(comparison),
  });
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = list;
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const showNew = () => {
    show();
    window.scrollTo({ top: 0 });
  };
  const title = (
    <>
      Runs
      {newCount > 0 && <Button word={`${newCount} new`} look="fresh" onClick={showNew} />}
    </>
  );
  return (
    <>
      <Top title={title}>
        {comparison && (
          <Link className="btn" href={comparison}>
            Compare the two <kbd>C</kbd>
          </Link>
        )}
        <Link className="btn main" href="/?new">
          New run <kbd>c</kbd>
        </Link>
      </Top>
      <Filters filters={filters} />
      {list.error && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.isLoading && <Loading rows={8} />}
      {list.data && runs.length === 0 && <NoRuns isFiltered={search !== ''} />}
      {runs.length > 0 && (
        <div {...area}>
          <RunTable
            runs={runs}
            current={current?.id}
            selected={selected}
            setCurrent={setCurrent}
            loadMore={hasNextPage && !isFetchingNextPage ? loadMore : undefined}
            foot={<Foot shown={runs.length} isMore={hasNextPage} />}
          />
        </div>
      )}
    </>
  );
}

const NoRuns = ({ isFiltered }: { isFiltered: boolean }) => (
  <section className="card">
    <EmptyList title={isFiltered ? 'No run matches these filters.' : 'No runs yet.'}>
      {isFiltered ? (
        <Link className="link" href="/runs">
          Show all runs
        </Link>
      ) : (
        'Type a task on Home. Explicit instructions also work without a key.'
      )}
    </EmptyList>
  </section>
);

const Foot = ({ shown, isMore }: { shown: number; isMore: boolean }) => (
  <div className="foot">
    <span className="keys">
      <span>
        <kbd>j</kbd>
        <kbd>k</kbd>move
      </span>
      <span>
        <kbd>↵</kbd>open
      </span>
      <span>
        <kbd>x</kbd>select to compare
      </span>
    </span>
    <span key={shown} className="num">
      {plural(shown, 'run')}
      {isMore ? ', more while you scroll' : ''}
    </span>
  </div>
);
