/** A question as SQL for `sql_query` and as Python with the names of reference.py. */
export interface DataQuestion {
  readonly ask: string;
  readonly sql: string;
  readonly python: string;
  /** Arguments besides `sql`. Default: all fixtures by their names. */
  readonly args?: Readonly<Record<string, unknown>>;
}

const q = (ask: string, sql: string, python: string, args?: DataQuestion['args']): DataQuestion =>
  args === undefined ? { ask, sql, python } : { ask, sql, python, args };

export const questions: readonly DataQuestion[] = [
  q('all cells of a CSV file', 'SELECT * FROM orders', '[list(o.values()) for o in orders]'),
  q(
    'cells of one column in order of a number',
    'SELECT amount, id FROM orders WHERE amount IS NOT NULL ORDER BY amount, id',
    "[[o['amount'], o['id']] for o in sorted((o for o in orders if number(o['amount']) is not None), key=lambda o: (number(o['amount']), int(o['id'])))]",
  ),
  q(
    'leading zeros',
    "SELECT code FROM orders WHERE code LIKE '00%' ORDER BY code, id",
    "[[o['code']] for o in sorted((o for o in orders if o['code'].startswith('00')), key=lambda o: (o['code'], int(o['id'])))]",
  ),
  q('a sum', 'SELECT sum(amount) FROM orders', "[[sum(numbers(orders, 'amount'))]]"),
  q(
    'an average leaves out what is no number',
    'SELECT avg(amount), count(amount), count(*) FROM orders',
    "[[statistics.fmean(numbers(orders, 'amount')), len(numbers(orders, 'amount')), len(orders)]]",
  ),
  q(
    'a median',
    'SELECT median(amount) FROM orders',
    "[[statistics.median(numbers(orders, 'amount'))]]",
  ),
  q(
    'a deviation',
    'SELECT stddev(amount), stddev_pop(amount) FROM orders',
    "[[statistics.stdev(numbers(orders, 'amount')), statistics.pstdev(numbers(orders, 'amount'))]]",
  ),
  q(
    'quantiles',
    'SELECT percentile(amount, 25), percentile(amount, 75) FROM orders',
    "[[(lambda x: [x[0], x[2]])(statistics.quantiles(numbers(orders, 'amount'), n=4, method='inclusive'))][0]]",
  ),
  q(
    'the largest and the smallest',
    'SELECT max(amount), min(amount), max(qty) FROM orders',
    "[[max(numbers(orders, 'amount')), min(numbers(orders, 'amount')), max(int(o['qty']) for o in orders)]]",
  ),
  q(
    'groups',
    'SELECT city, count(*), sum(qty) FROM orders GROUP BY city ORDER BY city',
    "[[c, len(g), sum(int(o['qty']) for o in g)] for c, g in sorted(groups(orders, lambda o: o['city']).items())]",
  ),
  q(
    'groups with a condition on the group',
    'SELECT customer_id, sum(amount) FROM orders GROUP BY customer_id HAVING max(amount) > 190 ORDER BY 1',
    "[[c, sum(numbers(g, 'amount'))] for c, g in sorted(groups(orders, lambda o: int(o['customer_id'])).items()) if max(numbers(g, 'amount')) > 190]",
  ),
  q(
    'a condition on a number',
    'SELECT id FROM orders WHERE amount > 150.5 ORDER BY id',
    "[[o['id']] for o in orders if (number(o['amount']) or 0) > 150.5]",
  ),
  q(
    'a condition on a boolean',
    'SELECT count(*) FROM orders WHERE paid AND qty >= 4',
    "[[sum(o['paid'] == 'true' and int(o['qty']) >= 4 for o in orders)]]",
  ),
  q(
    'a boolean compared with its text',
    "SELECT count(*) FROM orders WHERE paid = 'true' AND 'false' <> paid",
    "[[sum(o['paid'] == 'true' for o in orders)]]",
  ),
  q(
    'a month',
    "SELECT strftime('%Y-%m', day) AS m, count(*) FROM orders GROUP BY m ORDER BY m",
    "[[m, len(g)] for m, g in sorted(groups(orders, lambda o: o['day'][:7]).items())]",
  ),
  q(
    'an empty cell',
    'SELECT id, amount FROM orders WHERE amount IS NULL ORDER BY id',
    "[[o['id'], o['amount']] for o in orders if number(o['amount']) is None]",
  ),
  q(
    'line breaks in cells',
    "SELECT id, note FROM orders WHERE note LIKE '%' || char(10) || '%'",
    "[[o['id'], o['note']] for o in orders if '\\n' in o['note']]",
  ),
  q(
    'quotes and commas',
    'SELECT DISTINCT city FROM orders ORDER BY city',
    "[[c] for c in sorted({o['city'] for o in orders})]",
  ),
  q(
    'arithmetic of columns',
    'SELECT id, round(amount * qty, 2) FROM orders WHERE id < 20 AND amount IS NOT NULL ORDER BY id',
    "[[o['id'], round(number(o['amount']) * int(o['qty']), 2)] for o in orders if int(o['id']) < 20 and number(o['amount']) is not None]",
  ),
  q(
    'a regular expression',
    "SELECT id FROM orders WHERE note REGEXP '^note \\d*7$'",
    "[[o['id']] for o in orders if re.search(r'^note \\d*7$', o['note'])]",
  ),
  q(
    'a join of CSV and TSV',
    'SELECT c.name, count(*) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.name ORDER BY 1',
    "[[n, len(g)] for n, g in sorted(groups(orders, lambda o: next(c['name'] for c in customers if c['id'] == o['customer_id'])).items())]",
  ),
  q(
    'a left join',
    'SELECT c.id, o.id FROM customers c LEFT JOIN orders o ON o.customer_id = c.id AND o.amount > 199 ORDER BY c.id, o.id',
    "sorted([[int(c['id']), int(o['id'])] for c in customers for o in orders if o['customer_id'] == c['id'] and (number(o['amount']) or 0) > 199] + [[int(c['id']), None] for c in customers if not any(o['customer_id'] == c['id'] and (number(o['amount']) or 0) > 199 for o in orders)], key=lambda r: (r[0], r[1] or 0))",
  ),
  q(
    'nineteen digits',
    'SELECT account FROM customers ORDER BY id',
    "[[c['account']] for c in customers]",
  ),
  q(
    'a window',
    'SELECT id, sum(qty) OVER (ORDER BY id) FROM orders ORDER BY id LIMIT 30',
    "[[o['id'], sum(int(p['qty']) for p in orders[:i + 1])] for i, o in enumerate(orders[:30])]",
  ),
  q(
    'a subquery',
    'SELECT id, amount FROM (SELECT * FROM orders WHERE qty = 3) WHERE amount IS NOT NULL ORDER BY id',
    "[[o['id'], o['amount']] for o in orders if o['qty'] == '3' and number(o['amount']) is not None]",
  ),
  q(
    'a common table expression',
    'WITH big AS (SELECT * FROM orders WHERE amount >= 100) SELECT city, count(*) FROM big GROUP BY 1 ORDER BY 1',
    "[[c, len(g)] for c, g in sorted(groups([o for o in orders if (number(o['amount']) or 0) >= 100], lambda o: o['city']).items())]",
  ),
  q(
    'a join with a database',
    'SELECT r.region, count(*) FROM customers c JOIN regions r USING (country) GROUP BY 1 ORDER BY 1',
    "[[r, sum(1 for c in customers if c['country'] == k)] for k, r in sorted(db('shop.db', 'SELECT country, region FROM regions'), key=lambda x: x[1])]",
    { database: 'shop.db', files: { customers: 'customers.tsv' } },
  ),
  q(
    'cells of JSON',
    'SELECT sku, stock FROM products',
    "[[p['sku'], p['stock']] for p in products]",
  ),
  q(
    'nested JSON',
    "SELECT sku, dim ->> 'w' FROM products WHERE dim ->> '$.h' > 10",
    "[[p['sku'], p['dim']['w']] for p in products if p['dim']['h'] > 10]",
  ),
  q(
    'a list in JSON',
    'SELECT t.value, count(*) FROM products, json_each(products.tags) t GROUP BY 1 ORDER BY 1',
    "sorted([k, n] for k, n in Counter(t for p in products for t in p['tags']).items())",
  ),
  q(
    'a sum of JSON numbers',
    'SELECT sum(price * coalesce(stock, 0)) FROM products',
    "[[sum(p['price'] * (p['stock'] or 0) for p in products)]]",
  ),
  q(
    'a boolean of JSON',
    'SELECT sku, new FROM products WHERE new',
    "[[p['sku'], p['new']] for p in products if p['new']]",
  ),
  q(
    'an average of JSON without nulls',
    'SELECT avg(stock) FROM products',
    "[[statistics.fmean(p['stock'] for p in products if p['stock'] is not None)]]",
  ),
  q(
    'JSON Lines by kind',
    'SELECT kind, count(*), sum(ms) FROM events GROUP BY kind ORDER BY kind',
    "[[k, len(g), sum(e['ms'] for e in g)] for k, g in sorted(groups(events, lambda e: e['kind']).items())]",
  ),
  q(
    'a key that comes late',
    "SELECT user ->> 'name' AS n, count(*) FROM events WHERE user IS NOT NULL GROUP BY n ORDER BY n",
    "[[n, len(g)] for n, g in sorted(groups([e for e in events if 'user' in e], lambda e: e['user']['name']).items())]",
  ),
  q(
    'days of events',
    'SELECT date(ts) AS d, max(ms) FROM events GROUP BY d ORDER BY d',
    "[[d, max(e['ms'] for e in g)] for d, g in sorted(groups(events, lambda e: e['ts'][:10]).items())]",
  ),
  q(
    'pairs by level',
    'SELECT level, count(*), avg(took_ms) FROM app GROUP BY level ORDER BY level',
    "[[k, len(g), statistics.fmean(int(p['took'][:-2]) for p in g)] for k, g in sorted(groups(pairs, lambda p: p['level']).items())]",
  ),
  q(
    'a pair with blanks',
    'SELECT msg, count(retry) FROM app GROUP BY msg ORDER BY msg',
    "[[k, sum('retry' in p for p in g)] for k, g in sorted(groups(pairs, lambda p: p['msg']).items())]",
  ),
  q(
    'status codes of an access log',
    'SELECT status, count(*) FROM access GROUP BY status ORDER BY status',
    'sorted([int(s), n] for s, n in Counter(l[7] for l in log).items())',
  ),
  q(
    'the slowest requests',
    'SELECT path, query, request_time FROM access ORDER BY request_time DESC, line LIMIT 10',
    '[[l[4], l[5], l[11]] for l in sorted(log, key=lambda l: -float(l[11]))[:10]]',
  ),
  q(
    'bytes without those that were not sent',
    'SELECT client, sum(bytes) FROM access GROUP BY client ORDER BY client',
    "[[c, sum(int(l[8]) for l in g if l[8] != '-')] for c, g in sorted(groups(log, lambda l: l[0]).items())]",
  ),
  q(
    'errors by hour',
    'SELECT substr(time, 12, 2) AS h, count(*) FROM access WHERE status >= 400 GROUP BY h ORDER BY h',
    '[[h, len(g)] for h, g in sorted(groups([l for l in log if int(l[7]) >= 400], lambda l: l[2][12:14]).items())]',
  ),
  q(
    'percentiles of durations in milliseconds',
    'SELECT percentile(request_time_ms, 50) FROM access',
    '[[statistics.median(round(float(l[11]) * 1000) for l in log)]]',
  ),
  q('Latin-1 with semicolons', 'SELECT * FROM latin', "lists('latin.csv', 'latin-1', ';')[1:]", {
    files: { latin: 'latin.csv' },
  }),
  q('no header', 'SELECT c1, c2, c3 FROM plain', "lists('plain.csv', delimiter=';')", {
    files: { plain: 'plain.csv' },
  }),
  q(
    'several files as one table',
    'SELECT file, sku, price FROM parts ORDER BY file, sku',
    "[[f, *r] for f in ['parts/feb.csv', 'parts/jan.csv'] for r in lists(f)[1:]]",
    { files: { parts: 'parts/*.csv' } },
  ),
];
