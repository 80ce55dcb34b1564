import type { Column, Table } from '../../table/schema.ts';

/** Words that may follow the name of a column: `fuel type` means `fuel`, `phone number` means `phone`. */
export const columnLabels = ({ columns }: Table, { isNumber, words }: Column): readonly string[] =>
  [
    isNumber
      ? 'number|price|score|point|level|length|speed|count|size|reading|figure|value|money'
      : 'number|address|method',
    ...(!isNumber && words.at(-1) !== 'id' ? ['type|size|kind'] : []),
    ...(isNumber && /^(?:usd|eur|gbp|chf)$/.test(words.at(-1) ?? '')
      ? ['cost|amount|charge|pay']
      : []),
  ]
    .flatMap((all) => all.split('|'))
    .filter((label) => !columns.some((own) => own.words.includes(label)))
    .flatMap((label) => [label, label === 'address' ? 'addresses' : `${label}s`]);
