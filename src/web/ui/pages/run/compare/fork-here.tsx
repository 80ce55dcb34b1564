import { useLocation } from 'wouter';
import { Problem, post } from '../../../lib/server/api.ts';
import { useConnection } from '../../../lib/server/live.ts';
import { useAction } from '../../../lib/server/use-document.ts';
import { Button } from '../../../parts/input/button.tsx';
import { Refusal } from '../../../parts/states.tsx';

interface ForkHereProps {
  readonly runId: string;
  /** Number of the last request that the fork shares. */
  readonly at: number;
  /** The accessible name of the button. Default: its text. */
  readonly label?: string;
}

/** Button that forks the run after a request. The fork starts parked. */
export function ForkHere({ runId, at, label }: ForkHereProps) {
  const [, go] = useLocation();
  const { isConnected } = useConnection();
  const fork = useAction(
    (force: boolean) =>
      post<{ run_id: string }>(`/runs/${runId}/fork`, force ? { at, force } : { at }),
    undefined,
    ({ run_id }) => go(`/runs/${run_id}`),
  );
  const mayForce = fork.error instanceof Problem && fork.error.code === 'FORK_FILES_DIFFER';
  return (
    <span className="fork-here">
      <Button
        word={mayForce ? 'Fork with the files as they are' : 'Fork here'}
        title="A new run with the history up to here; Resume continues it"
        aria-label={mayForce ? undefined : label}
        disabled={fork.isPending || !isConnected}
        onClick={() => fork.mutate(mayForce)}
      />
      <Refusal error={fork.error} />
    </span>
  );
}
