import { DOWNLOAD_MS, send } from './api.ts';

const fetchFile = (path: string) => send(path, { deadlineMs: DOWNLOAD_MS });

/** Fetches the content of a file. @throws Problem */
export const fetchBytes = async (path: string): Promise<Uint8Array> =>
  new Uint8Array(await (await fetchFile(path)).arrayBuffer());

/** Downloads a file through the browser. @throws Problem */
export async function download(path: string, name: string): Promise<void> {
  const url = URL.createObjectURL(await (await fetchFile(path)).blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
