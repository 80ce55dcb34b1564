import { Problem } from './api.ts';
import { readToken } from './token.ts';

/** Fetches a file with the token. @throws Problem */
async function fetchFile(path: string): Promise<Response> {
  const response = await fetch(`/api/v1${path}`, {
    headers: { authorization: `Bearer ${readToken()}` },
  });
  if (response.ok) return response;
  const body = (await response.json().catch(() => ({}))) as { detail?: string };
  throw new Problem(
    response.status,
    'DOWNLOAD',
    body.detail ?? 'The file cannot be downloaded. Reload the page and try again.',
  );
}

/** Fetches the content of a file. @throws Problem */
export const fetchBytes = async (path: string): Promise<Uint8Array> =>
  new Uint8Array(await (await fetchFile(path)).arrayBuffer());

/** Downloads a file through the browser. @throws Problem */
export async function download(path: string, name: string): Promise<void> {
  const response = await fetchFile(path);
  const url = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
