/** What one row of a file is called, by its name: `data/products-100.csv` → `products`. */
export function nounsOfName(path: string): string[] {
  const stem = (path.split('/').at(-1) ?? '').replace(/\.[^.]*$/, '');
  const words = stem.split(/[^A-Za-z]+/).filter((word) => word !== '');
  const noun = words.at(-1)?.toLowerCase() ?? '';
  return noun === '' ? [] : [noun];
}
