import { send } from './api.ts';

/** Fetches the content of a file. @throws Problem */
export const fetchBytes = async (path: string): Promise<Uint8Array> =>
  new Uint8Array(await (await send(path)).arrayBuffer());

/** Downloads a file through the browser. @throws Problem */
export async function download(path: string, name: string): Promise<void> {
  const url = URL.createObjectURL(await (await send(path)).blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
