/** One tool call of a script. */
export interface ScriptedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The shortest correct way through one task: the calls in their order, and the file that they leave. */
export interface TaskScript {
  readonly writes: string;
  readonly calls: readonly ScriptedCall[];
}

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

/** By the id of the task. */
export const scripts: Readonly<Record<string, TaskScript>> = {
  't01-chinook-top-countries': {
    writes: 'result.json',
    calls: [
      {
        name: 'sql_query',
        args: {
          database: 'chinook.db',
          sql: 'SELECT BillingCountry AS country, round(sum(Total), 2) AS revenue FROM Invoice GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5',
          save_as: 'result.json',
        },
      },
    ],
  },
  't07-log-top-clients': {
    writes: 'top.json',
    calls: [
      {
        name: 'sql_query',
        args: {
          files: { log: 'access.log' },
          sql: 'SELECT client AS ip, count(*) AS requests, sum(status = 404) AS not_found FROM log GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10',
          save_as: 'top.json',
        },
      },
    ],
  },
  't15-products-stock-value': {
    writes: 'stock.csv',
    calls: [
      {
        name: 'sql_query',
        args: {
          files: { products: 'products-100.csv' },
          sql: 'SELECT Category AS category, count(*) AS products, sum(Price * Stock) AS stock_value FROM products GROUP BY 1 ORDER BY 3 DESC',
          save_as: 'stock.csv',
        },
      },
    ],
  },
  't18-weather-months': {
    writes: 'months.json',
    calls: [{ name: 'python_exec', args: { code: WEATHER, save_as: 'months.json' } }],
  },
};
