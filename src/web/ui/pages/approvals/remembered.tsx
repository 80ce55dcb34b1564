import type { RememberedRow } from '../../../../contract/documents/question-documents.ts';
import { path, request } from '../../lib/server/api.ts';
import { useAction, useDocument } from '../../lib/server/use-document.ts';
import { capsuleName, folderName, visible } from '../../lib/text/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../parts/input/button.tsx';
import { Refusal } from '../../parts/states.tsx';
import { Mark } from '../../parts/status.tsx';
import { At } from '../../parts/time.tsx';

const KEY = ['approvals', 'remembered'];

/** The remembered answers that still apply, each with a button that ends it. Nothing if there are none. */
export function Remembered() {
  const now = useNow().toISOString();
  const { data } = useDocument<{ remembered: readonly RememberedRow[] }>(KEY, '/remembered');
  const end = useAction(
    (id: string) => request(path`/remembered/${id}`, { method: 'DELETE' }),
    KEY,
  );
  const inForce = (data?.remembered ?? []).filter(
    ({ revoked_at: revoked, expires_at: until }) => !revoked && (until === null || until > now),
  );
  if (inForce.length === 0) return null;
  return (
    <>
      <div className="head second">
        <h2>Remembered answers</h2>
      </div>
      <Refusal error={end.error} className="body" />
      <ul className="rows">
        {inForce.map((one) => (
          <li key={one.id} className="row q">
            <Mark status={one.answer === 'approve' ? 'completed' : 'denied'} isHidden />
            <span className="what cut">
              {one.answer === 'approve' ? 'Allow' : 'Deny'} {one.operation}{' '}
              <code>{wordsOf(one.pattern)}</code>
            </span>
            <span className="xs faint cut sub">
              {one.capsule_id === '*' ? 'any capsule' : capsuleName(one.capsule_id)} ·{' '}
              {one.run_id === null ? folderName(one.workspace) : 'one run'}
              {one.expires_at !== null && (
                <>
                  {' '}
                  · until <At at={one.expires_at} />
                </>
              )}
            </span>
            <Button word="End" disabled={end.isPending} onClick={() => end.mutate(one.id)} />
          </li>
        ))}
      </ul>
    </>
  );
}

const wordsOf = (pattern: string): string =>
  pattern.startsWith('exact:') ? 'exactly one request' : visible(pattern);
