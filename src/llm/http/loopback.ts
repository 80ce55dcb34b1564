/** The answer for the last URL: one model server is asked about at every call. */
let last: { readonly url: string; readonly isLoopback: boolean } | undefined;

/** Whether a URL's host is a loopback address or name, so that requests to it stay on this machine and are free. */
export function isLoopback(url: string): boolean {
  if (last?.url !== url) last = { url, isLoopback: isLoopbackHost(hostOf(url)) };
  return last.isLoopback;
}

const isLoopbackHost = (host = ''): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : undefined;
}
