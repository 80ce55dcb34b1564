import { lazy, Suspense, useState } from 'react';
import type { RunPage } from '../../../lib/api-documents.ts';
import { download } from '../../../lib/download.ts';
import { bytes } from '../../../lib/format.ts';
import { visible } from '../../../lib/visible.ts';
import { Card } from '../../../parts/card.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Loading } from '../../../parts/states.tsx';
import { showFailure } from '../../../shell/toast.tsx';

const FileView = lazy(() => import('./file-view.tsx'));

interface FilesProps {
  readonly runId: string;
  readonly artifacts: RunPage['artifacts'];
}

/** The files that the run wrote, to view and download. */
export const Files = ({ runId, artifacts }: FilesProps) => (
  <Card id="files" title="Files">
    {artifacts.length === 0 && <p className="body sm dim">No files.</p>}
    <ul className="rows">
      {artifacts.map((artifact) => (
        <File key={artifact.path} runId={runId} artifact={artifact} />
      ))}
    </ul>
  </Card>
);

interface FileProps {
  readonly runId: string;
  readonly artifact: RunPage['artifacts'][number];
}

function File({ runId, artifact: { path, bytes: size, made_by: by, sha256 } }: FileProps) {
  const [isOpen, setOpen] = useState(false);
  const address = `/runs/${runId}/artifacts?path=${encodeURIComponent(path)}`;
  return (
    <li>
      <div className="row file-row">
        <Icon name="file" className="mark" />
        <code className="cut" title={sha256 === null ? undefined : `SHA-256 ${sha256}`}>
          {visible(path)}
        </code>
        <span className="xs faint">
          {bytes(size)} · {by}
        </span>
        <button
          type="button"
          className="btn quiet"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Close' : 'View'}
        </button>
        <button
          type="button"
          className="btn quiet"
          onClick={() => download(address, path.split('/').at(-1) ?? 'file').catch(showFailure)}
        >
          Download
        </button>
      </div>
      {isOpen && (
        <Suspense fallback={<Loading rows={2} />}>
          <FileView address={address} path={path} sha256={sha256} />
        </Suspense>
      )}
    </li>
  );
}
