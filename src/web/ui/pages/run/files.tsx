import type { RunPage } from '../../lib/api-documents.ts';
import { download } from '../../lib/download.ts';
import { bytes } from '../../lib/format.ts';
import { visible } from '../../lib/visible.ts';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';

interface FilesProps {
  readonly runId: string;
  readonly artifacts: RunPage['artifacts'];
}

/** What the run made, to fetch. */
export const Files = ({ runId, artifacts }: FilesProps) => (
  <Card id="files" title="Files">
    {artifacts.length === 0 && <p className="body sm dim">It made no file.</p>}
    <ul className="rows">
      {artifacts.map(({ path, bytes: size, made_by, sha256 }) => (
        <li key={path} className="row file-row">
          <Icon name="file" className="mark" />
          <code className="cut" title={`SHA-256 ${sha256}`}>
            {visible(path)}
          </code>
          <span className="xs faint">
            {bytes(size)} · {made_by}
          </span>
          <button
            type="button"
            className="btn quiet"
            onClick={() =>
              void download(
                `/runs/${runId}/artifacts?path=${encodeURIComponent(path)}`,
                path.split('/').at(-1) ?? 'file',
              )
            }
          >
            Download
          </button>
        </li>
      ))}
    </ul>
  </Card>
);
