import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useOverview } from '../../lib/server/use-document.ts';
import { folderName, query } from '../../lib/text/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { Choice } from '../../parts/input/choice.tsx';
import { Seg } from '../../parts/input/seg.tsx';

const names = ['text', 'status', 'workspace', 'capsule', 'min_cost', 'since', 'trials'] as const;

/** The filters of the list, as stored in the address. */
export type RunFilters = Readonly<Partial<Record<(typeof names)[number], string>>>;

/** Reads the filters from the query string of an address. */
export function filtersIn(search: string): RunFilters {
  const values = new URLSearchParams(search);
  return Object.fromEntries(
    names.flatMap((name) => (values.get(name) ? [[name, values.get(name)]] : [])),
  );
}

const statuses = [
  ['', 'All'],
  ['waiting', 'Waiting for you'],
  ['running,pending', 'Running'],
  ['parked', 'Parked'],
  ['failed', 'Failed'],
  ['completed', 'Completed'],
] as const;

const TYPING_MS = 200;

/** Fields for the filters. A change updates the address; Back undoes it, but not letter by letter. */
export function Filters({ filters }: { filters: RunFilters }) {
  const [, go] = useLocation();
  const overview = useOverview().data;
  const set = (change: RunFilters) =>
    go(`/runs${query({ ...filters, ...change })}`, { replace: 'text' in change });
  return (
    <search className="filters">
      <SearchField text={filters.text ?? ''} set={(text) => set({ text })} />
      <Seg
        label="Status"
        value={filters.status ?? ''}
        set={(status) => set({ status })}
        choices={statuses}
      />
      <Choice name="Workspace" value={filters.workspace} set={(workspace) => set({ workspace })}>
        <option value="">All workspaces</option>
        {overview?.workspaces.map((path) => (
          <option key={path} value={path}>
            {folderName(path)}
          </option>
        ))}
      </Choice>
      <Choice name="Capsule" value={filters.capsule} set={(capsule) => set({ capsule })}>
        <option value="">All capsules</option>
        {overview?.capsules.map(({ id }) => (
          <option key={id}>{id}</option>
        ))}
      </Choice>
      <Choice name="Cost" value={filters.min_cost} set={(min_cost) => set({ min_cost })}>
        <option value="">Any cost</option>
        <option value="0.01">Over $0.01</option>
        <option value="0.1">Over $0.10</option>
        <option value="1">Over $1</option>
      </Choice>
      <Choice name="Date" value={filters.since} set={(since) => set({ since })}>
        <option value="">Any time</option>
        <option value="1d">Last day</option>
        <option value="7d">Last 7 days</option>
        <option value="30d">Last 30 days</option>
      </Choice>
      <Choice name="Kind" value={filters.trials} set={(trials) => set({ trials })}>
        <option value="">Tasks</option>
        <option value="true">Tasks and trials</option>
      </Choice>
    </search>
  );
}

/** Searches shortly after the last key. */
function SearchField({ text, set }: { text: string; set: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed starts a search
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => set(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <label className="find">
      <Icon name="search" />
      <span className="vh">Search runs</span>
      <input
        className="in"
        type="search"
        placeholder="Search tasks, answers and ids"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <kbd>/</kbd>
    </label>
  );
}
