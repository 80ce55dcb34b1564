import type { ServiceSetting } from '../../config/files/configured-apis.ts';

/** A service that the person configured: where its credential may be sent, and for which requests. */
export type Service = ServiceSetting;

/** Encodings of a slash or a dot that only some servers decode. */
const hiddenSeparators = /%(2f|5c|2e|00)|\\/i;

/** Why a request may not use a service's credential; undefined if it may. */
export function serviceProblem(
  { name, origin, methods, paths, credential }: Service,
  { method, url }: { readonly method: string; readonly url: URL },
): string | undefined {
  if (url.origin !== origin) return `the service "${name}" is at ${origin}, not at ${url.origin}`;
  if (!methods.includes(method)) {
    return `the service "${name}" takes ${methods.join(', ')} only (methods in services.yaml), not ${method}`;
  }
  const isOpen = paths.some((pattern) => pattern === '/**');
  if (!isOpen && (hiddenSeparators.test(url.pathname) || !paths.some(matches(url.pathname)))) {
    return `the service "${name}" takes ${paths.join(', ')} only (paths in services.yaml), not ${url.pathname}`;
  }
  if (credential?.place.in === 'query' && url.searchParams.has(credential.place.name)) {
    return `the parameter "${credential.place.name}" carries the credential of "${name}"; leave it out`;
  }
  return undefined;
}

const matches =
  (path: string) =>
  (pattern: string): boolean =>
    pattern.endsWith('**') ? path.startsWith(pattern.slice(0, -2)) : path === pattern;

interface Authorized {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Adds the credential to a request, only if it goes to the service's own origin. */
export function authorized(request: Authorized, service: Service | undefined): Authorized {
  const credential = service?.credential;
  if (!credential || request.url.origin !== service.origin) return request;
  const { place, secret } = credential;
  if (place.in === 'query') {
    const url = new URL(request.url);
    const own = `${place.name}=${encodeURIComponent(secret)}`;
    url.search = url.search === '' ? own : `${url.search.slice(1)}&${own}`;
    return { ...request, url };
  }
  const others = Object.entries(request.headers).filter(
    ([name]) => name.toLowerCase() !== place.name,
  );
  const value = place.scheme === undefined ? secret : `${place.scheme} ${secret}`;
  return { ...request, headers: { ...Object.fromEntries(others), [place.name]: value } };
}

/** Removes the credential from an address that a server sent back. */
export function withoutCredential(url: URL, service: Service | undefined): URL {
  if (service?.credential?.place.in !== 'query') return url;
  const { name } = service.credential.place;
  if (!url.searchParams.has(name)) return url;
  const clean = new URL(url);
  clean.searchParams.delete(name);
  return clean;
}
