import { useConnection } from '../lib/live.ts';
import { Refusal } from '../parts/states.tsx';
import type { Answering } from './use-answer.ts';

/** Shows why answers are disabled, or why an answer was refused. */
export function Sending({ answering }: { answering: Answering }) {
  const { isConnected } = useConnection();
  if (answering.error) return <Refusal error={answering.error} />;
  if (answering.isPending) return <p className="sm dim">Sending</p>;
  return isConnected ? null : (
    <p className="sm dim">Answers are disabled until the connection is back.</p>
  );
}
