/** One tool call of a script. */
export interface ScriptedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** One step of a plan, and its calls in order. */
export interface ScriptedStep {
  readonly id: string;
  /** Undefined: the whole task. */
  readonly description?: string;
  readonly after?: string;
  readonly writes?: string;
  readonly calls: readonly ScriptedCall[];
}

/** A correct way through one task. */
export type TaskScript = readonly ScriptedStep[];

const WEATHER = `import csv, json
days = list(csv.DictReader(open("seattle-weather.csv")))
months = {}
for day in days:
    months.setdefault(day["date"][:7], []).append(day)
mean = {m: sum(float(d["temp_max"]) for d in ds) / len(ds) for m, ds in months.items()}
rain = {m: sum(float(d["precipitation"]) for d in ds) for m, ds in months.items()}
hottest, wettest = max(mean, key=mean.get), max(rain, key=rain.get)
print(json.dumps({
    "hottest": {"month": hottest, "mean_temp_max": round(mean[hottest], 2)},
    "wettest": {"month": wettest, "precipitation": round(rain[wettest], 2)},
    "days": len(days), "months": len(months)}))`;

const TOP_COUNTRIES =
  'SELECT BillingCountry AS country, round(sum(Total), 2) AS revenue FROM Invoice GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5';
const TOP_CLIENTS =
  'SELECT client AS ip, count(*) AS requests, sum(status = 404) AS not_found FROM log GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10';
const STOCK =
  'SELECT Category AS category, count(*) AS products, sum(Price * Stock) AS stock_value FROM products GROUP BY 1 ORDER BY 3 DESC';

const ask = (args: Record<string, unknown>): ScriptedCall => ({ name: 'sql_query', args });

/** The shortest script: one step, one call. */
const short: Readonly<Record<string, readonly [writes: string, ScriptedCall]>> = {
  't01-chinook-top-countries': [
    'result.json',
    ask({ database: 'chinook.db', sql: TOP_COUNTRIES, save_as: 'result.json' }),
  ],
  't07-log-top-clients': [
    'top.json',
    ask({ files: { log: 'access.log' }, sql: TOP_CLIENTS, save_as: 'top.json' }),
  ],
  't15-products-stock-value': [
    'stock.csv',
    ask({ files: { products: 'products-100.csv' }, sql: STOCK, save_as: 'stock.csv' }),
  ],
  't18-weather-months': [
    'months.json',
    { name: 'python_exec', args: { code: WEATHER, save_as: 'months.json' } },
  ],
};

/** The shortest script of a task, by its id; undefined if there is none. */
export function shortScript(id: string): TaskScript | undefined {
  const [writes, call] = short[id] ?? [];
  return writes === undefined || call === undefined
    ? undefined
    : [{ id: 's1', writes, calls: [call] }];
}

/** The same in two steps: one computes and returns the numbers, the other writes `content`. */
export function longScript(id: string, content: string): TaskScript | undefined {
  const [writes, call] = short[id] ?? [];
  if (writes === undefined || call === undefined) return undefined;
  const { save_as: _, ...args } = call.args;
  const written = { operation: 'write', path: writes, content };
  return [
    {
      id: 'compute',
      description: `Compute the figures for ${writes}, without writing it, from ${inputOf(call)}`,
      calls: [{ ...call, args }],
    },
    {
      id: 'write',
      description: `Write the figures of the step before to ${writes}`,
      after: 'compute',
      writes,
      calls: [{ name: 'file_io', args: written }],
    },
  ];
}

const inputOf = ({ args }: ScriptedCall): string =>
  /[\w-]+\.(?:db|log|csv)/.exec(JSON.stringify(args))?.[0] ?? 'the data';
