import type { CapsulePage } from '../../../../contract/documents/capsule-documents.ts';
import { visible } from '../../lib/text/format.ts';

interface GrantsProps {
  readonly of: Pick<CapsulePage, 'grants' | 'skills'>;
  /** More names with their values. */
  readonly more?: readonly (readonly [string, string])[];
}

/** What a capsule may ask for, as names with their values. */
export const Grants = ({ of: { grants, skills }, more = [] }: GrantsProps) => (
  <dl className="kv body">
    {[
      ...Object.entries(grants.tools).map(([tool, lists]) => [tool, listed(lists)] as const),
      ['services', grants.services.join(', ') || 'none'] as const,
      ['skills', skills.join(', ') || 'none'] as const,
      ...more,
    ].map(([name, what]) => (
      <div key={name} className="pair">
        <dt>{visible(name)}</dt>
        <dd>{visible(what)}</dd>
      </div>
    ))}
  </dl>
);

function listed(lists: CapsulePage['grants']['tools'][string]): string {
  const given = Object.entries(lists).map(([list, of = []]) => `${list}: ${of.join(', ')}`);
  if (given.length === 0) return 'all operations; no paths, hosts or commands';
  return [...(lists['operations'] ? [] : ['all operations']), ...given].join(' · ');
}
