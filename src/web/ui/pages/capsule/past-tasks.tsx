import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import type {
  CapsulePage,
  RepeatedTasks,
} from '../../../../contract/documents/capsule-documents.ts';
import { path, post } from '../../lib/server/api.ts';
import { duration, plural, visibleProse } from '../../lib/text/format.ts';
import { Card } from '../../parts/card.tsx';
import { Button } from '../../parts/input/button.tsx';
import { Refusal } from '../../parts/states.tsx';
import { Chip } from '../../parts/status.tsx';
import { DiffLines } from '../../parts/text/diff.tsx';
import { OLDER } from './cases.tsx';

interface PastTasksProps {
  readonly capsule: CapsulePage;
  readonly draft: string;
  /** Whether the draft differs from the saved overlay. */
  readonly isChanged: boolean;
}

/** Repeats the capsule's last tasks with the saved overlay and with the draft, and compares the results. */
export function PastTasks({ capsule, draft, isChanged }: PastTasksProps) {
  const compare = useMutation({
    mutationFn: () =>
      post<RepeatedTasks>(path`/capsules/${capsule.id}/compare`, { overlay: draft }),
  });
  const { data, error, isPending } = compare;
  const isUsed = capsule.uses > 0;
  const head = (
    <>
      <span className="xs faint">saved compared with this draft</span>
      <span className="push xs dim num" role="status">
        {isPending && 'Running'}
        {data && !isPending && `${sameOf(data)} · ${duration(data.duration_ms)}`}
      </span>
      <Button
        word="Compare on history"
        disabled={isPending || !isChanged || !isUsed}
        onClick={() => compare.mutate()}
      />
    </>
  );
  return (
    <Card id="history" title="Last tasks" className="wide" head={head}>
      <Refusal error={error} className="body" />
      {!data && !error && (
        <p className="body sm dim">
          {isUsed
            ? 'Repeats the last five tasks with the saved text and with your draft, using recorded answers. Nothing is changed, and no model is called.'
            : 'This capsule has not run yet.'}
        </p>
      )}
      {data && data.tasks.length > 0 && (
        <table className="cases trials">
          <thead>
            <tr>
              <th scope="col">Task</th>
              <th scope="col">Saved</th>
              <th scope="col">Draft</th>
              <th scope="col">Steps and answer</th>
            </tr>
          </thead>
          {data.tasks.map((one) => (
            <Task key={`${one.run_id} ${one.subtask_id}`} {...one} />
          ))}
        </table>
      )}
      {data?.tasks.some(isOlder) && (
        <p className="foot">
          Some model answers were recorded with another prompt. Save the draft and start a new run
          to see how the model answers with it.
        </p>
      )}
    </Card>
  );
}

type TaskProps = RepeatedTasks['tasks'][number];

const isSame = ({ steps, answer }: TaskProps) => steps.length + answer.length === 0;
const isOlder = ({ draft }: TaskProps) => draft.reworded > 0;

function sameOf({ tasks }: RepeatedTasks): string {
  if (tasks.length === 0) return 'No task was recorded';
  const same = `${tasks.filter(isSame).length} of ${plural(tasks.length, 'task')} the same`;
  return tasks.some(isOlder) ? `${same} ${OLDER}` : same;
}

function Task(props: TaskProps) {
  const { run_id, subtask_id, task, saved, draft, steps, answer } = props;
  const name = visibleProse(task);
  return (
    <tbody>
      <tr>
        <td className="cut" title={name}>
          <Link className="link" href={`/runs/${run_id}`}>
            {name}
          </Link>
        </td>
        <td title={saved.problem ?? undefined}>
          <Chip status={saved.status} />
        </td>
        <td title={draft.problem ?? undefined}>
          <Chip status={draft.status} />
        </td>
        <td>
          {isSame(props) ? 'The same' : 'Different'} {isOlder(props) && OLDER}
        </td>
      </tr>
      {!isSame(props) && (
        <tr>
          <td colSpan={4}>
            {steps.length > 0 && (
              <DiffLines lines={steps} label={`Steps of ${subtask_id} of ${run_id}`} />
            )}
            {answer.length > 0 && (
              <DiffLines lines={answer} label={`Answer of ${subtask_id} of ${run_id}`} />
            )}
          </td>
        </tr>
      )}
    </tbody>
  );
}
