import { useQuery } from '@tanstack/react-query';
import { fetchBytes } from '../../../lib/server/download.ts';
import { kindOfFile, tableOf } from '../../../lib/text/file-kind.ts';
import { visible } from '../../../lib/text/format.ts';
import { Pending } from '../../../parts/states.tsx';
import { Code } from '../../../parts/text/code.tsx';
import { Rendered } from '../../../parts/text/rendered.tsx';
import { Picture } from './picture.tsx';

interface FileViewProps {
  /** Path below `/api/v1`. */
  readonly address: string;
  readonly path: string;
  readonly sha256: string | null;
}

/** Maximum number of shown characters. The download has the whole file. */
const MAX_CHARS = 200_000;
const MAX_ROWS = 500;

/** Indents JSON. Invalid JSON and text longer than `MAX_CHARS` are returned unchanged. */
function indented(text: string): string {
  if (text.length > MAX_CHARS) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Shows a file that a run wrote: rendered Markdown, CSV as a table, pictures, other files as plain text. */
export default function FileView({ address, path, sha256 }: FileViewProps) {
  const file = useQuery({
    queryKey: ['file', address, sha256],
    queryFn: () => fetchBytes(address),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data } = file;
  if (!data) return <Pending of={file} rows={2} />;
  const kind = kindOfFile(path, data);
  if (kind === 'image') return <Picture content={data} path={path} />;
  if (kind === 'binary')
    return <p className="body sm dim">This is a binary file. Download it to open it.</p>;
  const decoded = new TextDecoder().decode(data);
  const text = kind === 'json' ? indented(decoded) : decoded;
  const shown = text.slice(0, MAX_CHARS);
  return (
    <div className="file-view">
      {kind === 'markdown' && <Rendered text={shown} head={(toggle) => toggle} />}
      {kind === 'table' && <Table rows={tableOf(shown, path.endsWith('.tsv') ? '\t' : ',')} />}
      {(kind === 'text' || kind === 'json') && <Code text={shown} look="request" />}
      {shown.length < text.length && (
        <p className="body xs dim">
          Only the beginning is shown. Download the file to see the rest.
        </p>
      )}
    </div>
  );
}

function Table({ rows: [head = [], ...rows] }: { rows: readonly (readonly string[])[] }) {
  return (
    <section className="scroll" tabIndex={0} aria-label="The file as a table">
      <table className="cases">
        <thead>
          <tr>
            {head.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no identity but their place
              <th key={at} scope="col">
                {visible(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
            <tr key={at}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their place
                <td key={column}>{visible(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MAX_ROWS && (
        <p className="body xs dim">
          The first {MAX_ROWS} of {rows.length} rows.
        </p>
      )}
    </section>
  );
}
