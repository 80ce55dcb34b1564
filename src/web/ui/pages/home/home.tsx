import { Link } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { RunList, RunRow } from '../../../../contract/documents/run-documents.ts';
import { useDocument } from '../../lib/server/use-document.ts';
import {
  capsuleName,
  costOf,
  folderName,
  inLine,
  plural,
  visible,
  visibleProse,
} from '../../lib/text/format.ts';
import { Card } from '../../parts/card.tsx';
import { Bar } from '../../parts/figures/bar.tsx';
import { EmptyList, Failure, Loading } from '../../parts/states.tsx';
import { Mark, shownStatus } from '../../parts/status.tsx';
import { Ago, Past, RunTime } from '../../parts/time.tsx';
import { useQuestions } from '../../question/use-questions.ts';
import { Compose, type FilledIn } from './compose.tsx';
import { HealthCard } from './health-card.tsx';
import { SpentCard } from './spent-card.tsx';

/** The start page: a task field, open questions, live runs and ended runs. */
export function Home() {
  const filledIn = useHistoryState<FilledIn | null>();
  return (
    <>
      <h1 className="vh">Home</h1>
      {/* Another form for each task that is filled in, and an empty one without. */}
      <Compose key={JSON.stringify(filledIn)} />
      <div className="home">
        <div className="col">
          <Lists />
        </div>
        <aside className="col" aria-label="State of Capstan">
          <SpentCard />
          <HealthCard />
        </aside>
      </div>
    </>
  );
}

/** The three lists. They appear together, so that the layout does not shift when one loads later. */
function Lists() {
  const all = [useQuestions(), useLiveRuns(), useEndedRuns()];
  const isLoaded = all.every(({ data, error }) => data ?? error);
  if (!isLoaded) return <Loading rows={8} />;
  return (
    <>
      <Waiting />
      <LiveRuns />
      <JustEnded />
    </>
  );
}

const SHOWN_QUESTIONS = 4;

function Waiting() {
  const { data, error, refetch } = useQuestions();
  const questions = (data?.approvals ?? []).toReversed();
  const head = questions.length > 0 && (
    <>
      <span className="count">{questions.length}</span>
      <Link className="link sm push" href="/approvals">
        All questions
      </Link>
    </>
  );
  return (
    <Card title="Waiting for you" head={head}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data && questions.length === 0 && (
        <EmptyList title="Nothing waits for you.">Questions of your runs appear here.</EmptyList>
      )}
      <ul className="rows">
        {questions.slice(0, SHOWN_QUESTIONS).map((one) => (
          <li key={one.id}>
            <Link className="row q" href={`/approvals/${one.id}`}>
              <Mark status={one.kind === 'unknown' ? 'unknown' : 'waiting'} />
              <span className="what cut">{visible(one.question)}</span>
              <span className="xs faint cut sub">
                {capsuleName(one.capsule_id)} · {visible(one.task)}
              </span>
              <Ago at={one.asked_at} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The newest runs with one of these statuses. */
function useRuns(status: string, limit: number) {
  return useDocument<RunList>(['runs', status, limit], `/runs?status=${status}&limit=${limit}`);
}

const useLiveRuns = () => useRuns('pending,running,parked', 6);
/** More than are shown, because they are listed by their start. */
const useEndedRuns = () => useRuns('completed,failed,cancelled', 20);

const SHOWN_ENDED = 5;
const endOf = (run: RunRow) => run.ended_at ?? run.created_at;

function LiveRuns() {
  const { data, error } = useLiveRuns();
  if (error) return null;
  const link = (
    <Link className="link sm push" href="/runs">
      All runs
    </Link>
  );
  return (
    <Card title="Running and parked" head={link}>
      {data?.runs.length === 0 && (
        <EmptyList title="No run is running or parked.">Type a task above.</EmptyList>
      )}
      <ul className="rows">
        {data?.runs.map((run) => (
          <LiveRun key={run.id} run={run} />
        ))}
      </ul>
    </Card>
  );
}

const LiveRun = ({ run }: { run: RunRow }) => (
  <li>
    <Link className="row live" href={`/runs/${run.id}`}>
      <Mark status={shownStatus(run)} />
      <span className="what cut">{visibleProse(run.task)}</span>
      <span className="xs faint cut sub">
        {inLine(visible(folderName(run.workspace)), visible(run.line))}
      </span>
      <span className="prog">
        <Bar
          share={run.steps === 0 ? 0 : run.steps_done / run.steps}
          tone={shownStatus(run) === 'running' ? 'run' : 'ink'}
        />
        <span className="xs num dim">
          {run.steps === 0 ? 'planning' : `${run.steps_done} of ${run.steps}`}
        </span>
      </span>
      <span className="num sm end">{costOf(run)}</span>
      <span className="num sm dim end el">
        {run.status === 'parked' ? <Ago at={run.created_at} /> : <RunTime run={run} />}
      </span>
    </Link>
  </li>
);

function JustEnded() {
  const { data } = useEndedRuns();
  if (!data) return null;
  const ended = data.runs.toSorted((a, b) => endOf(b).localeCompare(endOf(a)));
  return (
    <Card title="Just ended">
      {data.runs.length === 0 && (
        <EmptyList title="No run has ended yet.">
          Type a task above. Explicit instructions also work without a key.
        </EmptyList>
      )}
      <ul className="rows">
        {ended.slice(0, SHOWN_ENDED).map((run) => (
          <li key={run.id}>
            <Link className="row done" href={`/runs/${run.id}`}>
              <Mark status={run.status} />
              <span className="what cut">{visibleProse(run.task)}</span>
              <span className={`xs cut sub ${run.status === 'failed' ? 'bad' : 'faint'}`}>
                {visible(run.line) || plural(run.steps, 'step')}
              </span>
              <span className="num sm end">{costOf(run)}</span>
              <Past at={endOf(run)} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
