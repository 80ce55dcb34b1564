import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { get } from '../../lib/api.ts';
import type { RunList, RunRow } from '../../lib/api-documents.ts';
import { folderName, money, plural } from '../../lib/format.ts';
import { query } from '../../lib/query.ts';
import { useKeys } from '../../lib/use-keys.ts';
import { Empty, Failure, Loading } from '../../parts/states.tsx';
import { Filters, filtersIn } from './filters.tsx';
import { RunItem } from './run-item.tsx';

const PAGE = 50;

/** Every run, by session, with filters in the address. */
export default function Runs() {
  const search = useSearch();
  const filters = filtersIn(search);
  const list = useInfiniteQuery({
    queryKey: ['runs', 'page', filters],
    queryFn: ({ pageParam }) =>
      get<RunList>(`/runs${query({ ...filters, limit: PAGE, after: pageParam })}`),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
  });
  const runs = list.data?.pages.flatMap((page) => page.runs) ?? [];
  const [at, setAt] = useState(0);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [, go] = useLocation();
  const current = runs[Math.min(at, runs.length - 1)];
  const move = (by: number) => setAt(Math.max(0, Math.min(runs.length - 1, at + by)));
  const select = (id: string) =>
    setSelected(
      selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id].slice(-2),
    );
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => current && go(`/runs/${current.id}`),
    x: () => current && select(current.id),
  });
  const [one, other] = selected;
  return (
    <>
      <div className="top">
        <div>
          <h1>Runs</h1>
        </div>
        <div className="actions">
          {one && other && (
            <Link className="btn" href={`/runs/${one}?compare=${other}`}>
              Compare the two
            </Link>
          )}
          <Link className="btn main" href="/?new">
            New run <kbd>c</kbd>
          </Link>
        </div>
      </div>
      <Filters filters={filters} />
      {list.error && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.isLoading && <Loading rows={8} />}
      {list.data && runs.length === 0 && (
        <section className="card">
          <Empty title={search === '' ? 'No runs yet.' : 'No run matches these filters.'}>
            {search === '' ? (
              'Write a task on Home; without a key, explicit instructions work too.'
            ) : (
              <Link className="link" href="/runs">
                Show all runs
              </Link>
            )}
          </Empty>
        </section>
      )}
      {runs.length > 0 && (
        <div className="card runs">
          <div className="rn cols xs faint" aria-hidden="true">
            <span>Status</span>
            <span>Task</span>
            <span className="c-cap">Capsules</span>
            <span className="c-steps">Steps</span>
            <span className="end">Cost</span>
            <span className="c-dur end">Took</span>
            <span className="end">Began</span>
          </div>
          {sessionsOf(runs).map((session) => (
            <Session
              key={session[0]?.id}
              runs={session}
              current={current?.id}
              selected={selected}
            />
          ))}
          <div className="foot">
            <span className="num">{plural(runs.length, 'run')}</span>
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
            {list.hasNextPage && (
              <More isLoading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
            )}
          </div>
        </div>
      )}
    </>
  );
}

/** Runs that follow each other in one session, together. */
function sessionsOf(runs: readonly RunRow[]): RunRow[][] {
  const groups: RunRow[][] = [];
  for (const run of runs) {
    const last = groups.at(-1);
    if (last?.[0]?.session_id === run.session_id) last.push(run);
    else groups.push([run]);
  }
  return groups;
}

interface SessionProps {
  readonly runs: readonly RunRow[];
  readonly current: string | undefined;
  readonly selected: readonly string[];
}

function Session({ runs, current, selected }: SessionProps) {
  const first = runs.at(-1);
  if (!first) return null;
  const cost = runs.reduce((sum, run) => sum + run.cost_usd, 0);
  return (
    <>
      {runs.length > 1 && (
        <h2 className="gh">
          <span className="cut">{first.task}</span>
          <span className="tag">{folderName(first.workspace)}</span>
          <span className="xs faint num push">
            {plural(runs.length, 'run')} · {money(cost)}
          </span>
        </h2>
      )}
      <ul className="rows">
        {runs.map((run) => (
          <RunItem
            key={run.id}
            run={run}
            isCurrent={run.id === current}
            isSelected={selected.includes(run.id)}
          />
        ))}
      </ul>
    </>
  );
}

/** Loads the next page when it comes into sight. */
function More({ isLoading, load }: { isLoading: boolean; load: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && load());
    if (button.current) watcher.observe(button.current);
    return () => watcher.disconnect();
  }, [load]);
  return (
    <button ref={button} type="button" className="btn quiet push" onClick={load}>
      {isLoading ? 'Loading' : 'Show more'}
    </button>
  );
}
