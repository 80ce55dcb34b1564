type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
type DocumentKey<Key> = Key extends `${infer Name}MicroUsd`
  ? `${SnakeCase<Name>}_usd`
  : Key extends string
    ? SnakeCase<Key>
    : never;

/** A row under the keys of its document. */
export type WithDocumentKeys<Row> = { readonly [Key in keyof Row as DocumentKey<Key>]: Row[Key] };

/** A row under the keys of its document: `capsuleId` is `capsule_id`, and `costMicroUsd` in dollars `cost_usd`. Values stay as they are. */
export function withDocumentKeys<Row extends object>(row: Row): WithDocumentKeys<Row> {
  const entries = Object.entries(row).map(([name, value]) => {
    const isMoney = name.endsWith('MicroUsd');
    const dollars = isMoney && typeof value === 'number' ? value / 1e6 : value;
    const key = name
      .replace(/MicroUsd$/, 'Usd')
      .replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`);
    return [key, dollars];
  });
  return Object.fromEntries(entries);
}
