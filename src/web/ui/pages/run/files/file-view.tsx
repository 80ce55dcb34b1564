import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchBytes } from '../../../lib/download.ts';
import { kindOfFile, tableOf } from '../../../lib/file-kind.ts';
import { visible } from '../../../lib/visible.ts';
import Markdown from '../../../parts/markdown.tsx';
import { Failure, Loading } from '../../../parts/states.tsx';
import { Picture } from './picture.tsx';

interface FileViewProps {
  /** Below `/api/v1`. */
  readonly address: string;
  readonly path: string;
  readonly sha256: string | null;
}

/** Longest part of a file that is shown, in characters; the rest is in the download. */
const MOST = 200_000;
const MOST_ROWS = 500;

/** JSON with one value a line; text that is no JSON, or too long to parse at once, as it stands. */
function indented(text: string): string {
  if (text.length > MOST) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The content of a file that a run made: Markdown rendered, CSV as a table, pictures drawn, other text as it stands. */
export default function FileView({ address, path, sha256 }: FileViewProps) {
  const { data, error } = useQuery({
    queryKey: ['file', address, sha256],
    queryFn: () => fetchBytes(address),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading rows={2} />;
  const kind = kindOfFile(path, data);
  if (kind === 'image') return <Picture content={data} path={path} />;
  if (kind === 'binary')
    return <p className="body sm dim">This is no text. Download it to open it.</p>;
  const decoded = new TextDecoder().decode(data);
  const text = kind === 'json' ? indented(decoded) : decoded;
  const shown = text.slice(0, MOST);
  return (
    <div className="file-view">
      {kind === 'markdown' && <Rendered text={shown} />}
      {kind === 'table' && <Table rows={tableOf(shown, path.endsWith('.tsv') ? '\t' : ',')} />}
      {(kind === 'text' || kind === 'json') && <Plain text={shown} />}
      {shown.length < text.length && (
        <p className="body xs dim">Only the beginning is shown. Download it for the rest.</p>
      )}
    </div>
  );
}

const Plain = ({ text }: { text: string }) => (
  <pre className="code request" tabIndex={0}>
    {visible(text)}
  </pre>
);

function Rendered({ text }: { text: string }) {
  const [isRaw, setRaw] = useState(false);
  return (
    <>
      <button
        type="button"
        className="link xs raw"
        aria-pressed={isRaw}
        onClick={() => setRaw(!isRaw)}
      >
        {isRaw ? 'Rendered' : 'Plain text'}
      </button>
      {isRaw ? (
        <Plain text={text} />
      ) : (
        <div className="body">
          <Markdown text={visible(text)} />
        </div>
      )}
    </>
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
          {rows.slice(0, MOST_ROWS).map((row, at) => (
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
      {rows.length > MOST_ROWS && (
        <p className="body xs dim">
          The first {MOST_ROWS} of {rows.length} rows.
        </p>
      )}
    </section>
  );
}
