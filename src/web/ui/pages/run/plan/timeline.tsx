import { useMemo } from 'react';
import type { RequestRow, RunPage } from '../../../../../contract/documents/run-documents.ts';
import { useKnownTime } from '../../../lib/server/live.ts';
import { clock, duration, modelName, OFFLINE } from '../../../lib/text/format.ts';
import { Card } from '../../../parts/card.tsx';
import { Mark } from '../../../parts/status.tsx';
import type { RunEvent } from '../use-run-events.ts';
import { type Pause, pausesOf, pauseTimes } from './pauses.ts';

interface Span {
  readonly key: string;
  readonly kind: 'model' | 'tool' | 'person' | 'pause';
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

const time = (at: string | null, otherwise: number) => (at === null ? otherwise : Date.parse(at));

/** The spans of one request: waiting for a person, then the work of a model or a tool, if it was allowed. */
function spansOf(request: RequestRow, end: number): Span[] {
  const { intent_id: id, kind, name, target, asked_at: asked, answered_at: answered } = request;
  const to = time(request.ended_at, end);
  const from = Math.min(to, time(request.started_at ?? answered ?? request.proposed_at, end));
  // Without a model, rules of Capstan work.
  const worker = kind === 'chat' && modelName(target) === target ? 'model' : 'tool';
  const words = `${name} ${modelName(target)}`.trim();
  const work = { key: `${id} work`, kind: worker, from, to, name: words } as const;
  if (asked === null) return [work];
  const span = { from: Date.parse(asked), to: time(answered, end), name: 'waiting for you' };
  const waiting = { key: `${id} asked`, kind: 'person', ...span } as const;
  return answered === null || request.status === 'denied' ? [waiting] : [waiting, work];
}

interface Lane {
  readonly id: string;
  readonly status: string;
  readonly title: string;
  readonly spans: readonly Span[];
}

function lanesOf({ steps, requests }: RunPage, end: number): readonly Lane[] {
  const lane = (id: string, status: string | undefined, title: string) => {
    const own = requests.filter((one) => one.subtask_id === id);
    const spans = own.flatMap((one) => spansOf(one, end));
    return { id: id || 'plan', status: status ?? own.at(-1)?.status ?? '', title, spans };
  };
  const started = steps.filter(({ started_at: at }) => at !== null);
  const sorted = started.toSorted((a, b) => (a.started_at ?? '').localeCompare(b.started_at ?? ''));
  return [
    lane('', undefined, 'Capstan'),
    ...sorted.map(({ id, status, capsule_id: who }) => lane(id, status, who ?? '')),
  ].filter(({ spans }) => spans.length > 0);
}

/** The times in which the run did not work. */
function lanesOfPauses(pauses: readonly Pause[]): readonly Lane[] {
  if (pauses.length === 0) return [];
  const title = [...pauseTimes(pauses).keys()].join(', ');
  const spans = pauses.map(({ from, to, why }) => {
    return { key: `${from}`, kind: 'pause', from, to, name: why } as const;
  });
  return [{ id: 'pause', status: 'parked', title, spans }];
}

/** Height of the lanes of all steps, the lane of Capstan and the axis, in rem: 1.25 and a gap of 0.25 each. */
const heightFor = (steps: number) => (steps + 2) * 1.5 - 0.25;

interface TimelineProps {
  readonly page: RunPage;
  readonly events: readonly RunEvent[];
}

/** Shows when each step worked, when it waited for a person, and when the run paused. */
export function Timeline({ page, events }: TimelineProps) {
  const now = useKnownTime().getTime();
  const { run } = page;
  const from = Date.parse(run.created_at);
  const isRunning = run.status === 'running' || run.status === 'pending';
  const last = Math.max(
    from + 1,
    ...page.requests.map((one) => time(one.ended_at ?? one.asked_at ?? one.proposed_at, from)),
  );
  const end = run.ended_at ? Date.parse(run.ended_at) : isRunning ? Math.max(now, last) : last;
  const pauses = useMemo(() => pausesOf(events), [events]);
  const lanes = [...lanesOf(page, end), ...lanesOfPauses(pauses)];
  const legend = (
    <span className="push legend xs dim">
      {page.run.provider !== OFFLINE && <Swatch kind="model" word="model" />}
      <Swatch kind="tool" word={page.run.provider === OFFLINE ? 'tool or rules' : 'tool'} />
      <Swatch kind="person" word="you" />
    </span>
  );
  return (
    <Card id="time" title="Timeline" head={legend}>
      <div
        className="tbox"
        style={{ minHeight: `calc(2rem + ${heightFor(page.steps.length)}rem)` }}
      >
        {lanes.length === 0 && <p className="sm dim">Nothing has started yet.</p>}
        <ol className="lanes">
          {lanes.map((lane) => (
            <LaneRow key={lane.id} lane={lane} from={from} end={end} />
          ))}
        </ol>
        {lanes.length > 0 && <Axis ms={end - from} />}
        <NotCounted pauses={pauses} ms={run.duration_ms} />
      </div>
    </Card>
  );
}

/** Why the duration of the run is shorter than its timeline. */
function NotCounted({ pauses, ms }: { pauses: readonly Pause[]; ms: number }) {
  if (pauses.length === 0) return null;
  const times = [...pauseTimes(pauses)].map(([why, pause]) => `${duration(pause)} (${why})`);
  return (
    <p className="sm dim">
      Worked for {duration(ms)}. Not counted: {times.join(', ')}.
    </p>
  );
}

const Swatch = ({ kind, word }: { kind: Span['kind']; word: string }) => (
  <span>
    <svg className="sw" aria-hidden="true">
      <rect className={`f-${kind}`} x=".5" y=".5" width="11" height="11" rx="2" />
    </svg>
    {word}
  </span>
);

const names = { model: 'model', tool: 'tools', person: 'you', pause: 'paused' } as const;

function LaneRow({ lane, from, end }: { lane: Lane; from: number; end: number }) {
  const percent = (ms: number) => `${Math.max(0, Math.min(100, (ms / (end - from)) * 100))}%`;
  const total = (kind: Span['kind']) =>
    lane.spans.filter((one) => one.kind === kind).reduce((sum, one) => sum + one.to - one.from, 0);
  const words = (['model', 'tool', 'person', 'pause'] as const)
    .filter((kind) => total(kind) > 0)
    .map((kind) => `${names[kind]} ${duration(total(kind))}`);
  return (
    <li id={`lane-${lane.id}`}>
      <Mark status={lane.status} />
      <span className="cut">
        {lane.id} <span className="faint">{lane.title}</span>
      </span>
      <svg className="lane" role="img" aria-label={`${lane.id}: ${words.join(', ') || 'no time'}`}>
        {lane.spans.map((span) => (
          <rect
            key={span.key}
            className={`f-${span.kind}`}
            x={percent(span.from - from)}
            y="4"
            width={percent(Math.max(span.to - span.from, (end - from) / 250))}
            height="12"
            rx="2"
          >
            <title>{`${span.name} · ${duration(span.to - span.from)}`}</title>
          </rect>
        ))}
      </svg>
    </li>
  );
}

const STEPS = 5;

function Axis({ ms }: { ms: number }) {
  const label = (value: number) => {
    if (ms < 1_000) return `${Math.round(value)} ms`;
    return ms < 10_000 ? `${(value / 1_000).toFixed(1)} s` : clock(value);
  };
  return (
    <svg className="axis" aria-hidden="true">
      <path d="M0 .5H4000" />
      {Array.from({ length: STEPS + 1 }, (_, at) => (
        <text
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the place
          key={at}
          x={`${(at / STEPS) * 100}%`}
          y="14"
          textAnchor={at === STEPS ? 'end' : 'start'}
        >
          {label((ms * at) / STEPS)}
        </text>
      ))}
    </svg>
  );
}
