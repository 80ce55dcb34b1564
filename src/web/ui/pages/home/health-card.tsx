import { Link } from 'wouter';
import type { Overview } from '../../../../contract/documents/state-documents.ts';
import { useDocument } from '../../lib/server/use-document.ts';
import { plural, visible } from '../../lib/text/format.ts';
import { Mark } from '../../parts/status.tsx';

const levels: Readonly<Record<string, string>> = {
  A: 'No network, no files but the workspace',
  B: 'No network; you are asked before every program',
  C: 'Programs cannot be isolated on this machine',
  none: 'Programs run with your permissions',
};

const REFRESH_MS = 30_000;
/** The server sends an overview when a run changed something. Changed settings are found by asking. */
const ASKED = { refetchInterval: REFRESH_MS, refetchOnMount: 'always' };

/** Settings that can't be read, isolation level, open breakers and quarantined capsules. */
export function HealthCard() {
  const { data } = useDocument<Overview>(['overview'], '/overview', ASKED);
  if (!data) return null;
  return (
    <section className="card stat">
      <h2>Health</h2>
      <ul className="hl">
        <Parts overview={data} />
      </ul>
      <p className="sm">
        <Link href="/health">Open Health</Link>
      </p>
    </section>
  );
}

function Parts({ overview }: { overview: Overview }) {
  const { settings_problem: problem, isolation, breakers, quarantined } = overview;
  const { level, reason } = isolation;
  const paused = breakers.map(
    ({ provider, failures }) => `${provider} · ${plural(failures, 'failure')}`,
  );
  return (
    <>
      {problem && <Line status="failed" what="No run can start" more={problem} />}
      <Line
        status={level === 'A' ? 'completed' : 'unknown'}
        what={`Isolation ${level}`}
        more={levels[level] ?? reason}
      />
      {breakers.length > 0 && (
        <Line
          status="unknown"
          what={plural(breakers.length, 'open breaker')}
          more={paused.join(', ')}
        />
      )}
      {quarantined[0] && (
        <Line
          status="failed"
          what={`${plural(quarantined.length, 'capsule')} in quarantine`}
          more={`${quarantined[0].capsule_id} · ${quarantined[0].reason}`}
        />
      )}
    </>
  );
}

const Line = ({ status, what, more }: { status: string; what: string; more: string }) => (
  <li>
    <Mark status={status} isHidden />
    <span>
      {what}
      <br />
      <span className="xs faint">{visible(more)}</span>
    </span>
  </li>
);
