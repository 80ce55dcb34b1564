import type { Question } from '../../../contract/documents/question-documents.ts';
import { money } from '../lib/format.ts';

const tiers = ['read', 'write', 'execute, or change something elsewhere', 'spend'];

/** Explains what allowing does, and why it is asked. */
export function Explanation({ question }: { question: Question }) {
  const { why, operation, tier, cost_usd: cost, is_forced: isForced } = question;
  return (
    <dl className="kv body">
      <dt>Allow once</dt>
      <dd>permits exactly this request, once.</dd>
      <dt>Asked because</dt>
      <dd>{why}</dd>
      <dt>Operation</dt>
      <dd>
        <code>{operation}</code> · {tiers[tier] ?? `tier ${tier}`}
      </dd>
      {cost !== null && cost > 0 && (
        <>
          <dt>Costs at most</dt>
          <dd>{money(cost)}</dd>
        </>
      )}
      {isForced && (
        <>
          <dt>Always</dt>
          <dd>Only a person may answer this, each time.</dd>
        </>
      )}
    </dl>
  );
}
