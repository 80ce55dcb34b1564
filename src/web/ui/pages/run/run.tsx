import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from 'wouter';
import { get } from '../../lib/api.ts';
import type { RunPage } from '../../lib/api-documents.ts';
import { useKeys } from '../../lib/use-keys.ts';
import { Failure, Loading } from '../../parts/states.tsx';
import { Compare } from './compare/compare.tsx';
import { Changes } from './files/changes.tsx';
import { Files } from './files/files.tsx';
import { Header } from './header.tsx';
import { Plan } from './plan/plan.tsx';
import { Timeline } from './plan/timeline.tsx';
import { CostPart } from './requests/cost-part.tsx';
import { LogPart } from './requests/log-part.tsx';
import { Prompt } from './requests/prompt.tsx';
import { Requests } from './requests/requests.tsx';
import { Routing } from './requests/routing.tsx';
import { Conversation } from './talk/conversation.tsx';
import { useRunEvents } from './use-run-events.ts';

/** Whether a run with this status may still change. */
export const isLive = (status: string): boolean =>
  status === 'running' || status === 'pending' || status === 'parked';

/** The page of one run: the conversation on one side, its details on the other. */
export default function Run() {
  const { id = '' } = useParams<{ id: string }>();
  const other = new URLSearchParams(useSearch()).get('compare');
  const { data, error, refetch } = useQuery({
    queryKey: ['run', id],
    queryFn: () => get<RunPage>(`/runs/${id}`),
  });
  const live = useRunEvents(id, data !== undefined);
  useKeys({ ']': () => jump(1), '[': () => jump(-1) });
  if (error && !data) return <Unreadable error={error} retry={() => void refetch()} />;
  if (!data) return <Loading rows={6} />;
  return (
    <>
      <Header page={data} />
      {other && <Compare page={data} other={other} />}
      <div className="split">
        <Conversation page={data} texts={live.texts} />
        <div className="panes">
          <Parts page={data} />
          <Plan steps={data.steps} />
          <Timeline page={data} />
          <Changes
            runId={id}
            status={data.run.status}
            ended={data.steps.filter(({ ended_at }) => ended_at).length}
          />
          <Requests runId={id} requests={data.requests} />
          <LogPart events={live.events} isLive={isLive(data.run.status)} />
          <Files runId={id} artifacts={data.artifacts} />
          <Prompt page={data} />
          <Routing steps={data.steps} runId={id} />
          <CostPart page={data} />
        </div>
      </div>
    </>
  );
}

const Unreadable = (props: { error: unknown; retry: () => void }) => (
  <>
    <h1>Run</h1>
    <Failure {...props} list={{ href: '/runs', name: 'All runs' }} />
  </>
);

const parts = [
  'plan',
  'time',
  'changes',
  'requests',
  'log',
  'files',
  'prompt',
  'routing',
  'cost',
] as const;

const words: Readonly<Record<(typeof parts)[number], string>> = {
  plan: 'Plan',
  time: 'Timeline',
  changes: 'Changes',
  requests: 'Requests',
  log: 'Log',
  files: 'Files',
  prompt: 'Prompt',
  routing: 'Routing',
  cost: 'Cost',
};

/** Moves to the next or previous part of the page. */
function jump(by: 1 | -1): void {
  const tops = parts.map((part) => document.getElementById(part)?.getBoundingClientRect().top ?? 0);
  const at = tops.findLastIndex((top) => top < 100);
  const next = parts[Math.max(0, Math.min(parts.length - 1, at + by))];
  if (next) document.getElementById(next)?.scrollIntoView();
}

function Parts({ page }: { page: RunPage }) {
  const counts: Partial<Record<(typeof parts)[number], number>> = {
    requests: page.requests.length,
    files: page.artifacts.length,
  };
  return (
    <nav className="tabs" aria-label="Parts of this run">
      {parts.map((part) => (
        <a key={part} href={`#${part}`}>
          {words[part]}
          {counts[part] ? <span className="num">{counts[part]}</span> : null}
        </a>
      ))}
    </nav>
  );
}
