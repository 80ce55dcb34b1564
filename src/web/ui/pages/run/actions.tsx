import { useState } from 'react';
import { useLocation } from 'wouter';
import type {
  Replay,
  ReplayDifference,
  RunPage,
} from '../../../../contract/documents/run-documents.ts';
import { post } from '../../lib/server/api.ts';
import { download } from '../../lib/server/download.ts';
import { useConnection } from '../../lib/server/live.ts';
import { useAction } from '../../lib/server/use-document.ts';
import { shortId, visible } from '../../lib/text/format.ts';
import { useKeptFocus } from '../../lib/use-kept-focus.ts';
import { Button } from '../../parts/input/button.tsx';
import { Confirm } from '../../parts/input/confirm.tsx';
import type { FilledIn } from '../home/compose.tsx';

type Opened = 'fork' | 'compare';

interface ActionsProps {
  readonly page: RunPage;
  readonly open: Opened | undefined;
  readonly toggle: (card: Opened) => void;
  /** Called after a replay with its first difference; null if it is identical. */
  readonly onDifference: (found: ReplayDifference | null) => void;
}

/** The buttons for the actions that the state of the run allows. */
export function Actions({ page: { run }, open, toggle, onDifference }: ActionsProps) {
  const [, go] = useLocation();
  const act = useAction(
    async (action: string) => {
      if (action === 'export') {
        await download(`/runs/${run.id}/export`, `run-${shortId(run.id)}.json`);
        return undefined;
      }
      const answer = await post<Partial<Replay>>(`/runs/${run.id}/${action}`);
      if (action !== 'replay') return undefined;
      onDifference(answer.first_difference ?? null);
      return answer.is_identical ? 'The replay is identical.' : 'The replay differs.';
    },
    ['run', run.id],
  );
  const { isConnected } = useConnection();
  const disabled = act.isPending || !isConnected;
  const focus = useKeptFocus<HTMLDivElement>('button');
  const isRunning = run.status === 'running' || run.status === 'pending';
  const isParked = run.status === 'parked';
  const again = () => {
    const { task, workspace, named_capsule } = run;
    go('/?new', { state: { task, workspace, capsule: named_capsule ?? '' } satisfies FilledIn });
  };
  const button = (word: string, title: string, action: string) => (
    <Button word={word} title={title} disabled={disabled} onClick={() => act.mutate(action)} />
  );
  const opener = (word: string, card: Opened) => (
    <Button
      word={word}
      aria-expanded={open === card}
      disabled={!isConnected}
      onClick={() => toggle(card)}
    />
  );
  return (
    <div>
      {/* biome-ignore lint/a11y/useSemanticElements: buttons, not fields */}
      <div className="actions" role="group" aria-label="Actions" tabIndex={-1} {...focus}>
        {isRunning && button('Stop', 'Parks the run; Resume continues it', 'stop')}
        {run.can_resume && button('Resume', resumeWords(run), 'resume')}
        {(isRunning || isParked) && (
          <CancelRun disabled={disabled} cancel={() => act.mutate('cancel')} />
        )}
        {!isRunning && !isParked && (
          <Button
            word="Run again"
            title="Opens a new task, filled in"
            disabled={!isConnected}
            onClick={again}
          />
        )}
        {!isRunning && button('Replay', 'No model, no cost', 'replay')}
        {!isRunning && opener('Fork', 'fork')}
        {opener('Compare', 'compare')}
        {button('Export', 'One file, for a replay elsewhere', 'export')}
      </div>
      <p className="sm dim end" role="status">
        {act.isPending ? 'Sending' : visible(act.error?.message ?? act.data ?? '')}
      </p>
    </div>
  );
}

/** Shown while the run can be cancelled, so that its end also closes the confirmation. */
function CancelRun({ disabled, cancel }: { disabled: boolean; cancel: () => void }) {
  const [isSure, setSure] = useState(false);
  return (
    <Confirm
      opener={{
        word: 'Cancel run',
        title: 'Ends it for good',
        disabled,
        onClick: () => setSure(true),
      }}
      sure={{ word: 'Cancel for good', title: 'Ends it for good', disabled, onClick: cancel }}
      isOpen={isSure}
      close={() => setSure(false)}
    >
      A cancelled run ends for good. Stop would park it, to be resumed.
    </Confirm>
  );
}

const resumeWords = ({ reason }: RunPage['run']): string =>
  `Completed steps keep their results${reason === 'denied' ? '; what was denied stays denied' : ''}`;
