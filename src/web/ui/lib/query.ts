/** Formats a query string: `?status=failed&text=a%20b`. Empty values are left out; without values it is ''. */
export function query(values: Readonly<Record<string, string | number | boolean | undefined>>) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
