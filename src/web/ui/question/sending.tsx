import { useConnection } from '../lib/live.ts';
import type { Answering } from './use-answer.ts';

/** Shows why answers are disabled, or why an answer was refused. */
export function Sending({ answering }: { answering: Answering }) {
  const { isConnected } = useConnection();
  if (answering.error)
    return (
      <p className="sm bad" role="alert">
        {answering.error.message}
      </p>
    );
  if (answering.isPending) return <p className="sm dim">Sending</p>;
  return isConnected ? null : (
    <p className="sm dim">Answers are disabled until the connection is back.</p>
  );
}
