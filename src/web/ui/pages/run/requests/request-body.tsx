import type {
  RequestDetails,
  RequestRow,
} from '../../../../../contract/documents/run-documents.ts';
import { useDocument } from '../../../lib/server/use-document.ts';
import {
  capsuleName,
  count,
  duration,
  modelName,
  spent,
  visible,
} from '../../../lib/text/format.ts';
import { Pairs } from '../../../parts/figures/pairs.tsx';
import { Pending } from '../../../parts/states.tsx';
import { Chip } from '../../../parts/status.tsx';
import { Code } from '../../../parts/text/code.tsx';
import { ForkHere } from '../compare/fork-here.tsx';
import { Messages } from '../talk/messages.tsx';

/** One request in full: figures, decision, request and result. */
export function RequestBody({ runId, row }: { runId: string; row: RequestRow }) {
  const details = useDocument<RequestDetails>(
    ['run', runId, 'request', row.intent_id, row.status],
    `/runs/${runId}/requests/${row.intent_id}`,
  );
  const { data } = details;
  return (
    <div className="open">
      <Facts row={row} details={data} />
      <dl className="kv">
        <dt>Status</dt>
        <dd>
          <Chip status={row.decision === 'deny' ? 'denied' : row.status} />{' '}
          {[row.reason, row.cost_note].filter((one) => one !== null).join(' · ')}
          {row.rule && (
            <>
              {' '}
              <span className="tag">{visible(row.rule)}</span>
            </>
          )}
          {row.answered_by && ` · answered by ${row.answered_by}`}
        </dd>
        <dt>Who</dt>
        <dd>
          {capsuleName(row.capsule_id)} {row.subtask_id && `in ${row.subtask_id}`}
        </dd>
      </dl>
      {row.ended_at !== null && <ForkHere runId={runId} at={row.number} />}
      <Pending of={details} rows={1} />
      {data && row.kind === 'chat' && <Messages details={data} />}
      {data && row.kind !== 'chat' && <Plain details={data} />}
    </div>
  );
}

function Facts({ row, details }: { row: RequestRow; details: RequestDetails | undefined }) {
  const of = (value: number | null | undefined, words: (value: number) => string) =>
    value == null ? null : words(value);
  const facts: [string, string | null][] = [
    ['Model', row.model && modelName(row.model)],
    ['Tokens in', of(row.input_tokens, () => tokensIn(row))],
    ['Tokens out', of(row.output_tokens, count)],
    ['First text', of(details?.first_text_ms, duration)],
    ['Took', of(tookOf(row), duration)],
    ['Finish', details?.finish_reason?.replaceAll('_', ' ') ?? null],
    ['Cost', spent(row)],
    ['Tier', String(row.tier)],
  ];
  return <Pairs className="facts" pairs={facts.filter(([, value]) => value !== null)} />;
}

/** How long a request took, in milliseconds. Null if it has not ended. */
export const tookOf = ({ ended_at, started_at, proposed_at }: RequestRow): number | null =>
  ended_at === null ? null : Date.parse(ended_at) - Date.parse(started_at ?? proposed_at);

const tokensIn = ({ input_tokens: all, cached_input_tokens: cached }: RequestRow) =>
  `${count(all ?? 0)}${cached ? `, ${count(cached)} cached` : ''}`;

const json = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

const Plain = ({ details: { request, files, result } }: { details: RequestDetails }) => (
  <>
    <h3>Request</h3>
    <Code text={json(request)} />
    {files.map(({ path, diff }) => (
      <Code key={path} text={diff ?? path} />
    ))}
    <h3>Result</h3>
    <Code text={result === null ? 'none yet' : json(result)} />
  </>
);
