import { useState } from 'react';
import type {
  Changes as ChangesDocument,
  RunPage,
  UndoPlan,
} from '../../../../../contract/documents/run-documents.ts';
import { get, post } from '../../../lib/server/api.ts';
import { useAction } from '../../../lib/server/use-document.ts';
import { countsOf } from '../../../lib/text/diff-lines.ts';
import { plural, visible } from '../../../lib/text/format.ts';
import { useKeptFocus } from '../../../lib/use-kept-focus.ts';
import { Card } from '../../../parts/card.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Confirm } from '../../../parts/input/confirm.tsx';
import { Failure, Refusal } from '../../../parts/states.tsx';
import { UnifiedDiff } from '../../../parts/text/diff.tsx';
import { Counts } from '../../../question/request.tsx';
import { usePart } from '../use-part.ts';
import { byPath } from './files.tsx';

/** The run's net changes to the workspace, per file, with undo. */
export function Changes({ page }: { page: RunPage }) {
  const { id, status } = page.run;
  const { data, error } = usePart<ChangesDocument>(page, 'changes');
  const focus = useKeptFocus<HTMLSpanElement>('button');
  const files = data?.files ?? [];
  const inForce = files.filter(({ is_undone }) => !is_undone);
  const counts = inForce.map(({ diff }) => countsOf(diff ?? ''));
  const sum = (of: 'added' | 'removed') => counts.reduce((total, one) => total + one[of], 0);
  const isRunning = status === 'running' || status === 'pending';
  const head = files.length > 0 && (
    <>
      <span className="xs faint">net difference{isRunning ? ' so far' : ''}</span>
      <span className="push num xs">
        {inForce.length === 0 ? (
          'undone: the files are as before the run'
        ) : (
          <>
            <span className="plus">+{sum('added')}</span>{' '}
            <span className="minus">−{sum('removed')}</span>
          </>
        )}
      </span>
      {isRunning ? (
        <span className="xs faint">undo is possible when the run has ended</span>
      ) : (
        <span className="undo" {...focus}>
          {inForce.length > 0 && <Undo runId={id} action="undo" />}
          {inForce.length < files.length && <Undo runId={id} action="redo" />}
        </span>
      )}
    </>
  );
  return (
    <Card id="changes" title="Changes" head={head}>
      {error && <Failure error={error} />}
      {files.length === 0 && !error && <p className="body sm dim">No file was changed.</p>}
      {files.toSorted(byPath).map((file) => (
        <File key={file.path} file={file} />
      ))}
    </Card>
  );
}

function File({ file }: { file: ChangesDocument['files'][number] }) {
  return (
    <>
      <div className="file">
        <Icon name="file" />
        <code className="cut">
          {file.from !== undefined && `${visible(file.from)} → `}
          {visible(file.path)}
        </code>
        <span className="tag">{file.kind === 'created' ? 'new' : file.kind}</span>
        {file.is_undone && <span className="tag">undone</span>}
        {file.diff !== null && <Counts diff={file.diff} />}
        <span className="xs faint push cut">{file.made_by.join(', ')}</span>
      </div>
      {file.note && !file.is_undone && <p className="body sm dim">{visible(file.note)}</p>}
      {file.diff !== null && (
        <UnifiedDiff diff={file.diff} label={`Difference of ${visible(file.path)}`} />
      )}
    </>
  );
}

interface UndoProps {
  readonly runId: string;
  /** `redo` takes an undo back. */
  readonly action: 'undo' | 'redo';
}

/** Shows what undo or redo would change, and performs it after a confirmation. */
function Undo({ runId, action }: UndoProps) {
  const [plan, setPlan] = useState<UndoPlan>();
  const [word, done] = action === 'undo' ? ['Undo', 'undone'] : ['Redo', 'redone'];
  const address = `/runs/${runId}/${action}`;
  const look = useAction(() => get<UndoPlan>(address), undefined, setPlan);
  const undo = useAction(
    () => post(address),
    ['run', runId],
    () => setPlan(undefined),
  );
  const count = plan ? plan.restored.length + plan.removed.length + plan.recreated.length : 0;
  const sure = {
    word: `${word} ${plural(count, 'file')}`,
    disabled: undo.isPending,
    onClick: () => undo.mutate(),
  };
  return (
    <>
      <Confirm
        opener={{ word, onClick: () => look.mutate() }}
        sure={count > 0 ? sure : undefined}
        isOpen={plan !== undefined}
        close={() => setPlan(undefined)}
      >
        {plan && (
          <>
            {count === 0 ? `Nothing can be ${done}` : undoWords(plan, action)}
            {plan.perhaps_yours.length > 0 &&
              `; changed while a command ran, perhaps by you: ${plan.perhaps_yours.map((path) => visible(path)).join(', ')}`}
            {plan.left.length > 0 &&
              `; not ${done}: ${plan.left.map(({ path, why }) => `${visible(path)} (${why})`).join(', ')}`}
          </>
        )}
      </Confirm>
      <Refusal error={look.error ?? undo.error} />
    </>
  );
}

/** `2 files will be restored, 1 file removed`. */
function undoWords(plan: UndoPlan, action: UndoProps['action']): string {
  const kinds = [
    [plan.restored.length, 'restored', 'changed again'],
    [plan.removed.length, 'removed', 'deleted again'],
    [plan.recreated.length, 'brought back', 'created again'],
  ] as const;
  return kinds
    .filter(([count]) => count > 0)
    .map(([count, undone, redone], index) => {
      const effect = action === 'undo' ? undone : redone;
      return `${plural(count, 'file')} ${index === 0 ? 'will be ' : ''}${effect}`;
    })
    .join(', ');
}
