const MAX_TEXT_CHARS = 1_000_000;

/** Endings of host names that are not endings of files: without a scheme, `report.md` and `setup.sh` are not hosts. */
const plainHost =
  /(?<![\w@/.-])((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}(?:com|org|net|edu|gov|dev|eu|de|fr|uk|ch|at|nl|jp|ca|au))(:\d{1,5})?(?![\w-]|\.\w)/gi;
const wwwHost = /(?<![\w@/.-])(www\.(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63})(:\d{1,5})?(?![\w-])/gi;
const fullUrl = /https?:\/\/[^\s<>"'`)\]}]{1,2048}/gi;

/** The hosts that a text names, as `URL.host` gives them: with the port if it is not the default of the scheme. */
export function hostsInText(text: string): ReadonlySet<string> {
  const start = text.slice(0, MAX_TEXT_CHARS);
  const hosts = new Set<string>();
  for (const [url] of start.matchAll(fullUrl)) addHost(hosts, url.replace(/[.,;:!?]+$/, ''));
  const rest = start.replace(fullUrl, ' ');
  for (const pattern of [plainHost, wwwHost]) {
    for (const [, host, port = ''] of rest.matchAll(pattern))
      addHost(hosts, `https://${host}${port}`);
  }
  return hosts;
}

function addHost(hosts: Set<string>, url: string): void {
  if (URL.canParse(url)) hosts.add(new URL(url).host);
}
