import { Suspense, useState } from 'react';
import type { RunPage } from '../../../../../contract/documents/run-documents.ts';
import { download } from '../../../lib/server/download.ts';
import { bytes, visible } from '../../../lib/text/format.ts';
import { Card } from '../../../parts/card.tsx';
import { Rows } from '../../../parts/figures/rows.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Button } from '../../../parts/input/button.tsx';
import { later } from '../../../parts/later.tsx';
import { Loading } from '../../../parts/states.tsx';
import { showFailure } from '../../../shell/toast.tsx';

const FileView = later(() => import('./file-view.tsx'));

/** The files that the run wrote, to view and download. */
export const Files = ({ page: { run, artifacts, artifacts_left_out } }: { page: RunPage }) => (
  <Card id="files" title="Files">
    <Rows of={artifacts.toSorted(byPath)} empty="No files.">
      {(artifact) => <File key={artifact.path} runId={run.id} artifact={artifact} />}
    </Rows>
    {artifacts_left_out && <p className="body sm dim">… and {artifacts_left_out} older files</p>}
  </Card>
);

/** `f2` before `f10`. */
export const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path.localeCompare(b.path, 'en', { numeric: true });

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
        <Button
          word={isOpen ? 'Close' : 'View'}
          look="quiet"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <Button
          word="Download"
          look="quiet"
          onClick={() => download(address, path.split('/').at(-1) ?? 'file').catch(showFailure)}
        />
      </div>
      {isOpen && (
        <Suspense fallback={<Loading rows={2} />}>
          <FileView address={address} path={path} sha256={sha256} />
        </Suspense>
      )}
    </li>
  );
}
