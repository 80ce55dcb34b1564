import { Link } from 'wouter';
import { useOverview } from '../../lib/server/use-document.ts';
import { plural } from '../../lib/text/format.ts';
import { Mark } from '../../parts/status.tsx';

const levels: Readonly<Record<string, string>> = {
  A: 'No network, no files but the workspace',
  B: 'No network; you are asked before every program',
  C: 'Programs cannot be isolated on this machine',
  none: 'Programs run with your permissions',
};

/** Isolation level, open breakers and quarantined capsules. */
export function HealthCard() {
  const { data } = useOverview();
  if (!data) return null;
  const { isolation, breakers, quarantined } = data;
  return (
    <section className="card stat">
      <h2>Health</h2>
      <ul className="hl">
        <li>
          <Mark status={isolation.level === 'A' ? 'completed' : 'unknown'} isHidden />
          <span>
            Isolation {isolation.level}
            <br />
            <span className="xs faint">{levels[isolation.level] ?? isolation.reason}</span>
          </span>
        </li>
        {breakers.length > 0 && (
          <li>
            <Mark status="unknown" isHidden />
            <span>
              {plural(breakers.length, 'open breaker')}
              <br />
              <span className="xs faint">
                {breakers
                  .map(({ provider, failures }) => `${provider} · ${plural(failures, 'failure')}`)
                  .join(', ')}
              </span>
            </span>
          </li>
        )}
        {quarantined.length > 0 && (
          <li>
            <Mark status="failed" isHidden />
            <span>
              {plural(quarantined.length, 'capsule')} in quarantine
              <br />
              <span className="xs faint">
                {quarantined[0]?.capsule_id} · {quarantined[0]?.reason}
              </span>
            </span>
          </li>
        )}
      </ul>
      <p className="sm">
        <Link href="/health">Open Health</Link>
      </p>
    </section>
  );
}
