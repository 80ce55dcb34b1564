/** Whether a URL's host is a loopback address or name, so that requests to it stay on this machine and are free. */
export function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname.toLowerCase() : '';
  return host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
