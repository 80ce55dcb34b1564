import { Problem } from './api.ts';
import { readToken } from './token.ts';

/** Fetches a file with the token and hands it to the browser. @throws Problem */
export async function download(path: string, name: string): Promise<void> {
  const response = await fetch(`/api/v1${path}`, {
    headers: { authorization: `Bearer ${readToken()}` },
  });
  if (!response.ok) throw new Problem(response.status, 'DOWNLOAD', `${name} can not be fetched.`);
  const url = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
