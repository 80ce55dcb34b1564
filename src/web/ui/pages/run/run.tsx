import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useParams, useSearch } from 'wouter';
import type { RunPage } from '../../../../contract/documents/run-documents.ts';
import { useDocument } from '../../lib/server/use-document.ts';
import { useKeys } from '../../lib/use-keys.ts';
import { Unread } from '../../parts/states.tsx';
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
  const found = useDocument<RunPage>(['run', id], `/runs/${id}`);
  const { data } = found;
  useFullId(id, data);
  const live = useRunEvents(id, {
    isWanted: data?.run.id === id,
    isEnded: data !== undefined && !isLive(data.run.status),
  });
  useKeys({ ']': () => jump(1), '[': () => jump(-1) });
  if (!data) return <Unread title="Run" of={found} list={{ href: '/runs', name: 'All runs' }} />;
  return (
    <>
      <Header page={data} />
      {other && <Compare page={data} other={other} />}
      <div className="split">
        <Conversation page={data} live={live} />
        <div className="panes">
          <Parts page={data} />
          <Plan steps={data.steps} />
          <Timeline page={data} events={live.events} />
          <Changes page={data} />
          <Requests page={data} />
          <LogPart events={live.events} isLive={isLive(data.run.status)} />
          {isShown(data, 'files') && <Files page={data} />}
          {isShown(data, 'prompt') && <Prompt page={data} />}
          <Routing page={data} />
          <CostPart page={data} />
        </div>
      </div>
    </>
  );
}

/** Replaces the short id in the address: the stream names runs by their full ids. */
function useFullId(id: string, page: RunPage | undefined): void {
  const client = useQueryClient();
  const [, go] = useLocation();
  useEffect(() => {
    if (!page || page.run.id === id) return;
    client.setQueryData(['run', page.run.id], page);
    go(`/runs/${page.run.id}${location.search}${location.hash}`, { replace: true });
  }, [id, page, client, go]);
}

const parts = [
  ['plan', 'Plan'],
  ['time', 'Timeline'],
  ['changes', 'Changes'],
  ['requests', 'Requests'],
  ['log', 'Log'],
  ['files', 'Files'],
  ['prompt', 'Prompt'],
  ['routing', 'Routing'],
  ['cost', 'Cost'],
] as const;

/** Whether a part has, or may get, a content. */
function isShown({ run, artifacts, requests }: RunPage, part: string): boolean {
  if (isLive(run.status)) return true;
  if (part === 'files') return artifacts.length > 0;
  const isPrompt = (one: RunPage['requests'][number]) =>
    one.kind === 'chat' && one.subtask_id !== '';
  return part !== 'prompt' || requests.some(isPrompt);
}

/** Moves to the next or previous part of the page. */
function jump(by: 1 | -1): void {
  const all = parts.flatMap(([part]) => document.getElementById(part) ?? []);
  const at = all.findLastIndex((one) => one.getBoundingClientRect().top < 100);
  all[Math.max(0, Math.min(all.length - 1, at + by))]?.scrollIntoView();
}

function Parts({ page }: { page: RunPage }) {
  const counts: Readonly<Record<string, number>> = {
    requests: page.requests.length,
    files: page.artifacts.length,
  };
  return (
    <nav className="tabs" aria-label="Parts of this run">
      {parts
        .filter(([part]) => isShown(page, part))
        .map(([part, word]) => (
          <a key={part} href={`#${part}`}>
            {word}
            {counts[part] ? <span className="num">{counts[part]}</span> : null}
          </a>
        ))}
    </nav>
  );
}
