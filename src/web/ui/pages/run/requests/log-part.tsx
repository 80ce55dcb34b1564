import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { capsuleName, plural, visible } from '../../../lib/text/format.ts';
import { useKeys } from '../../../lib/use-keys.ts';
import { Card } from '../../../parts/card.tsx';
import { Button } from '../../../parts/input/button.tsx';
import { eventSentence } from '../event-sentence.ts';
import type { RunEvent } from '../use-run-events.ts';

/** Height of a line, in pixels: 1.25 rem. */
const lineHeight = () =>
  1.25 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** Shows the events of a run. It follows new ones until it is paused or scrolled up. */
export function LogPart({ events, isLive }: { events: readonly RunEvent[]; isLive: boolean }) {
  const [pausedAt, setPausedAt] = useState<number>();
  const [filter, setFilter] = useState('');
  const list = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const last = events.at(-1)?.seq ?? 0;
  const toggle = () => setPausedAt(pausedAt === undefined ? last : undefined);
  const isPaused = pausedAt !== undefined;
  const canPause = isLive || isPaused;
  useKeys({ p: canPause ? toggle : undefined, f: () => search.current?.focus() });
  const rows = useMemo(() => {
    const wanted = filter.toLowerCase();
    return events
      .filter(({ seq }) => pausedAt === undefined || seq <= pausedAt)
      .map(({ seq, event }) => ({ seq, event, text: eventSentence(event) }))
      .filter(({ text }) => text.toLowerCase().includes(wanted));
  }, [events, pausedAt, filter]);
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: lineHeight,
    overscan: 20,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the newest event
  useEffect(() => {
    if (pausedAt === undefined) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [last, pausedAt]);
  const onScroll = () => {
    const box = list.current;
    if (!box) return;
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 30;
    if (!isAtEnd && pausedAt === undefined && isLive) setPausedAt(last);
  };
  const behind = isPaused ? last - pausedAt : 0;
  const head = (
    <>
      <span className={`chip ${isLive && !isPaused ? 'run' : ''}`}>
        {isPaused
          ? `Paused · ${behind} new`
          : isLive
            ? 'Following'
            : plural(events.length, 'event')}
      </span>
      <label className="push">
        <span className="vh">Filter</span>
        <input
          ref={search}
          className="in fl"
          placeholder="Filter"
          type="text"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      </label>
      {canPause && <Button word={isPaused ? 'Follow' : 'Pause'} hotkey="p" onClick={toggle} />}
      <Button
        word="Copy"
        look="quiet"
        onClick={() =>
          void navigator.clipboard.writeText(
            events.map(({ event }) => JSON.stringify(event)).join('\n'),
          )
        }
      />
    </>
  );
  return (
    <Card id="log" title="Log" head={head}>
      <section
        ref={list}
        className="log"
        tabIndex={0}
        aria-label="Events, newest last"
        onScroll={onScroll}
      >
        <ul style={{ height: lines.getTotalSize() }}>
          {lines.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return row && <LogLine key={row.seq} row={row} top={start} />;
          })}
        </ul>
      </section>
    </Card>
  );
}

interface LogLineProps {
  readonly row: RunEvent & { readonly text: string };
  /** Offset from the start of the list, in pixels. */
  readonly top: number;
}

/** `14:04:12.3`, local time. */
const logTime = (at: string): string => {
  const date = new Date(at);
  return `${date.toLocaleTimeString('en-GB')}.${Math.floor(date.getMilliseconds() / 100)}`;
};

const LogLine = ({ row: { event, text }, top }: LogLineProps) => (
  <li style={{ transform: `translateY(${top}px)` }}>
    <time dateTime={event.at}>{logTime(event.at)}</time>
    <span>{String(event['subtask_id'] ?? '')}</span>
    <span className="faint">
      {event['capsule_id'] ? capsuleName(String(event['capsule_id'])) : ''}
    </span>
    <span className={event.type === 'approval.asked' ? 'wait' : ''} title={JSON.stringify(event)}>
      {visible(text)}
    </span>
  </li>
);
