import { useQuery } from '@tanstack/react-query';
import { get } from '../../../lib/api.ts';
import type { RequestDetails, RequestRow } from '../../../lib/api-documents.ts';
import { count, duration, money } from '../../../lib/format.ts';
import { capsuleName, modelName, stepName } from '../../../lib/names.ts';
import { visible } from '../../../lib/visible.ts';
import { Failure, Loading } from '../../../parts/states.tsx';
import { Chip } from '../../../parts/status.tsx';
import { ForkHere } from '../compare/fork-here.tsx';
import { Messages } from '../talk/messages.tsx';

/** One request in full: figures, decision, request and result. */
export function RequestBody({ runId, row }: { runId: string; row: RequestRow }) {
  const { data, error } = useQuery({
    queryKey: ['run', runId, 'request', row.intent_id, row.status],
    queryFn: () => get<RequestDetails>(`/runs/${runId}/requests/${row.intent_id}`),
  });
  return (
    <div className="open">
      <Facts row={row} details={data} />
      <dl className="kv">
        <dt>Decision</dt>
        <dd>
          <Chip status={row.decision === 'deny' ? 'denied' : row.status} /> {row.reason}
          {row.rule && (
            <>
              {' '}
              <span className="tag">{visible(row.rule)}</span>
            </>
          )}
          {row.approved_by && ` · answered by ${row.approved_by}`}
        </dd>
        <dt>Who</dt>
        <dd>
          {capsuleName(row.capsule_id)} {row.subtask_id && `in ${stepName(row.subtask_id)}`}
        </dd>
      </dl>
      {row.ended_at !== null && <ForkHere runId={runId} at={row.number} />}
      {error && <Failure error={error} />}
      {!data && !error && <Loading rows={1} />}
      {data && row.kind === 'chat' && <Messages details={data} />}
      {data && row.kind !== 'chat' && <Plain details={data} />}
    </div>
  );
}

function Facts({ row, details }: { row: RequestRow; details: RequestDetails | undefined }) {
  const took =
    row.ended_at === null
      ? null
      : Date.parse(row.ended_at) - Date.parse(row.started_at ?? row.proposed_at);
  const facts: [string, string | null][] = [
    ['Model', row.model && modelName(row.model)],
    ['Tokens in', row.input_tokens === null ? null : tokensIn(row)],
    ['Tokens out', row.output_tokens === null ? null : count(row.output_tokens)],
    ['First text', details?.first_text_ms == null ? null : duration(details.first_text_ms)],
    ['Took', took === null ? null : duration(took)],
    ['Finish', details?.finish_reason?.replaceAll('_', ' ') ?? null],
    ['Cost', money(row.cost_usd)],
    ['Tier', String(row.tier)],
  ];
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

const tokensIn = ({ input_tokens: all, cached_input_tokens: cached }: RequestRow) =>
  `${count(all ?? 0)}${cached ? `, ${count(cached)} cached` : ''}`;

const json = (value: unknown) =>
  visible(typeof value === 'string' ? value : JSON.stringify(value, null, 2));

function Plain({ details }: { details: RequestDetails }) {
  return (
    <>
      <h3>Request</h3>
      <pre className="code" tabIndex={0}>
        {json(details.request)}
      </pre>
      {details.files.map(({ path, diff }) => (
        <pre key={path} className="code" tabIndex={0}>
          {visible(diff ?? path)}
        </pre>
      ))}
      <h3>Result</h3>
      <pre className="code" tabIndex={0}>
        {details.result === null ? 'none yet' : json(details.result)}
      </pre>
    </>
  );
}
