import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { RunRow } from '../../../../contract/documents/run-documents.ts';
import { costOf, folderName, plural, visible, visibleProse } from '../../lib/text/format.ts';
import { type ListItem, listItems } from './list-items.ts';
import { RunItem } from './run-item.tsx';

/** Number of lines drawn beyond each edge of the window. */
const OVERSCAN = 6;

interface RunTableProps {
  readonly runs: readonly RunRow[];
  readonly current: string | undefined;
  readonly selected: readonly string[];
  readonly setCurrent: (id: string) => void;
  /** Called when the end of the list is near. */
  readonly loadMore: (() => void) | undefined;
  readonly foot: ReactNode;
}

/** A virtualized list of runs: only the lines near the window are drawn. */
export function RunTable({ runs, current, selected, setCurrent, loadMore, foot }: RunTableProps) {
  const items = useMemo(() => listItems(runs), [runs]);
  const list = useRef<HTMLUListElement>(null);
  const heights = useLineHeights(list);
  const lines = useWindowVirtualizer({
    count: items.length,
    estimateSize: (index) => heights[items[index]?.kind ?? 'run'],
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: OVERSCAN,
    scrollMargin: useTop(list),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures again when the heights change
  useLayoutEffect(() => lines.measure(), [heights]);
  const drawn = lines.getVirtualItems();
  const isNearEnd = (drawn.at(-1)?.index ?? 0) >= items.length - OVERSCAN;
  useEffect(() => {
    if (isNearEnd) loadMore?.();
  }, [isNearEnd, loadMore]);
  useFollow(current, () => {
    const index = items.findIndex(({ key }) => key === current);
    if (index >= 0) lines.scrollToIndex(index, { align: 'auto' });
  });
  return (
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
      <ul ref={list} className="lines" style={{ height: lines.getTotalSize() }}>
        {drawn.map(({ key, index, start }) => {
          const item = items[index];
          if (!item) return null;
          return (
            <li
              key={key}
              data-kind={item.kind}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - lines.options.scrollMargin}px)` }}
              onFocus={() => item.kind === 'run' && setCurrent(item.key)}
            >
              <Line item={item} current={current} selected={selected} />
            </li>
          );
        })}
      </ul>
      {foot}
    </div>
  );
}

interface LineProps extends Pick<RunTableProps, 'current' | 'selected'> {
  readonly item: ListItem;
}

function Line({ item, current, selected }: LineProps) {
  if (item.kind === 'run') {
    const { run, key } = item;
    return <RunItem run={run} isCurrent={key === current} isSelected={selected.includes(key)} />;
  }
  const { first, runs } = item;
  return (
    <h2 className="gh">
      <span className="cut">{visibleProse(first.task)}</span>
      <span className="tag">{visible(folderName(first.workspace))}</span>
      <span className="xs faint num push">
        {plural(runs, 'run')} · {costOf(item)}
      </span>
    </h2>
  );
}

type Heights = Readonly<Record<ListItem['kind'], number>>;

/** The height of each kind of line, in pixels. The first line of a kind is measured after each resize. */
function useLineHeights(list: React.RefObject<HTMLElement | null>): Heights {
  const [heights, setHeights] = useState<Heights>({ session: 37, run: 53 });
  useLayoutEffect(() => {
    const heightOf = (kind: ListItem['kind'], known: number) =>
      list.current?.querySelector<HTMLElement>(`[data-kind=${kind}]`)?.offsetHeight ?? known;
    const measure = () =>
      setHeights((known) => {
        const run = heightOf('run', known.run);
        const session = heightOf('session', known.session);
        return run === known.run && session === known.session ? known : { run, session };
      });
    measure();
    const watcher = new ResizeObserver(measure);
    if (list.current) watcher.observe(list.current);
    return () => watcher.disconnect();
  }, [list]);
  return heights;
}

/** Offset of the list from the top of the document, in pixels. */
function useTop(list: React.RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () =>
      setTop(list.current ? list.current.getBoundingClientRect().top + window.scrollY : 0);
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(document.body);
    return () => watcher.disconnect();
  }, [list]);
  return top;
}

/** Scrolls to the current line after a key has changed it, but not when the page opens. */
function useFollow(current: string | undefined, scroll: () => void): void {
  const last = useRef(current);
  useEffect(() => {
    if (last.current !== undefined && last.current !== current) scroll();
    last.current = current;
  });
}
