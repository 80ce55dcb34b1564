import { describe, expect, it } from 'vitest';
import { questionTables } from '../../../test/question-tables.ts';
import { TaskError } from '../task-error.ts';
import { understand } from './answer-task.ts';
import { describeQuery } from './describe-query.ts';

type Name = keyof typeof questionTables;

/** Each question's reading, in the words that the answer shows; several queries of one question are joined by `+`. */
function read(name: Name, text: string): string[] {
  return understand(text, questionTables[name]()).map(({ queries, file }) => {
    const readings = queries.map((query) => describeQuery(query, [])).join(' + ');
    return file === undefined ? readings : `${readings} -> ${file}`;
  });
}

function failureOf(name: Name, text: string): TaskError {
  try {
    read(name, text);
  } catch (error) {
    if (error instanceof TaskError) return error;
    throw error;
  }
  throw new Error(`"${text}" was understood as: ${read(name, text).join(' / ')}`);
}

describe('a question', () => {
  it.each<[Name, string, string[]]>([
    [
      'log',
      'Find the ten slowest requests in access.log',
      ['the first 10 rows; ranked by duration_ms descending'],
    ],
    [
      'log',
      'List the 5 slowest requests of access.log with status 500',
      ['the first 5 rows; only rows where status = 500; ranked by duration_ms descending'],
    ],
    [
      'log',
      'Show the fifteen slowest POST requests',
      ['the first 15 rows; only rows where method = "POST"; ranked by duration_ms descending'],
    ],
    ['log', 'the slowest request', ['the first 1 rows; ranked by duration_ms descending']],
    ['log', 'the largest responses', ['the first 10 rows; ranked by bytes descending']],
    [
      'log',
      'the fastest successful requests',
      [
        'the first 10 rows; only rows where status is between 200 and 299; ranked by duration_ms ascending',
      ],
    ],
    ['log', 'first 5 requests', ['the first 5 rows']],
    ['log', 'last 3 errors', ['the last 3 rows; only rows where status >= 400']],
    ['log', 'the top 20 requests by bytes', ['the first 20 rows; ranked by bytes descending']],
    ['log', 'Find the requests slower than 2 s', ['all rows; only rows where duration_ms > 2000']],
    [
      'log',
      'Which requests took longer than 0.5 seconds?',
      ['all rows; only rows where duration_ms > 500'],
    ],
    [
      'log',
      'How many requests took between 100 ms and 2 s?',
      ['requests = count of rows; only rows where duration_ms is between 100 and 2000'],
    ],
    [
      'log',
      'List all requests to /api/login with status 401',
      ['all rows; only rows where path = "/api/login" and status = 401'],
    ],
    ['log', 'requests without a referrer', ['all rows; only rows where referrer is empty']],
    [
      'log',
      'requests whose user agent contains "bot"',
      ['all rows; only rows where user_agent contains "bot"'],
    ],
    [
      'log',
      'Find all requests with status >= 500 and duration_ms > 1000',
      ['all rows; only rows where status >= 500 and duration_ms > 1000'],
    ],
    [
      'log',
      'the ten slowest requests except those with status 504',
      ['the first 10 rows; only rows where not (status = 504); ranked by duration_ms descending'],
    ],
    [
      'log',
      'Find the 10 slowest requests that are not errors',
      ['the first 10 rows; only rows where not (status >= 400); ranked by duration_ms descending'],
    ],
    [
      'log',
      'Save the ten slowest requests in access.log to slow.md',
      ['the first 10 rows; ranked by duration_ms descending -> slow.md'],
    ],
    [
      'log',
      'Find the seven slowest requests in access.log and write them to slow.csv',
      ['the first 7 rows; ranked by duration_ms descending -> slow.csv'],
    ],
    [
      'log',
      'slowest request per endpoint',
      ['the first 1 rows of each endpoint; ranked by duration_ms descending'],
    ],
    [
      'log',
      'Find the top 3 slowest requests for each endpoint',
      ['the first 3 rows of each endpoint; ranked by duration_ms descending'],
    ],
    [
      'log',
      'Count the errors per endpoint in access.log',
      [
        'errors = count of rows per endpoint; only rows where status >= 400; ordered by errors descending, then endpoint ascending',
      ],
    ],
    [
      'log',
      'Group the errors by endpoint and status code',
      [
        'errors = count of rows per endpoint and status; only rows where status >= 400; ordered by errors descending, then endpoint ascending, then status ascending',
      ],
    ],
    [
      'log',
      'errors by endpoint and then by status',
      [
        'errors = count of rows per endpoint and status; only rows where status >= 400; ordered by errors descending, then endpoint ascending, then status ascending',
      ],
    ],
    [
      'log',
      'Count errors by status code, most errors first, ties by status',
      [
        'errors = count of rows per status; only rows where status >= 400; ordered by errors descending, then status ascending',
      ],
    ],
    ['log', 'How many requests are there?', ['requests = count of rows']],
    [
      'log',
      'How many requests failed?',
      ['requests = count of rows; only rows where status >= 400'],
    ],
    [
      'log',
      'How many requests returned 404?',
      ['requests = count of rows; only rows where status = 404'],
    ],
    [
      'log',
      'How many requests did not return 200?',
      ['requests = count of rows; only rows where not (status = 200)'],
    ],
    [
      'log',
      'How many GET requests were there on 2 March 2026?',
      [
        'GET requests = count of rows; only rows where day of time = "2026-03-02" and method = "GET"',
      ],
    ],
    [
      'log',
      'How many requests between 2026-03-03 and 2026-03-04?',
      [
        'requests = count of rows; only rows where day of time is between 2026-03-03 and 2026-03-04',
      ],
    ],
    [
      'log',
      'How many server errors are there per hour?',
      [
        'server errors = count of rows per hour (hour of time); only rows where status >= 500; ordered by hour ascending',
      ],
    ],
    [
      'log',
      'How many endpoints have errors?',
      ['endpoints = number of distinct endpoint; only rows where status >= 400'],
    ],
    [
      'log',
      'Count the 404s per path',
      [
        '404s = count of rows per path; only rows where status = 404; ordered by 404s descending, then path ascending',
      ],
    ],
    [
      'log',
      'Count 5xx responses per endpoint',
      [
        '5xx responses = count of rows per endpoint; only rows where status is between 500 and 599; ordered by 5xx responses descending, then endpoint ascending',
      ],
    ],
    [
      'log',
      'Count requests per method, excluding errors',
      [
        'requests = count of rows per method; only rows where not (status >= 400); ordered by requests descending, then method ascending',
      ],
    ],
    [
      'log',
      'Count requests per endpoint without errors',
      [
        'requests = count of rows per endpoint; only rows where not (status >= 400); ordered by requests descending, then endpoint ascending',
      ],
    ],
    [
      'log',
      'Count requests with status not 200',
      ['requests = count of rows; only rows where not (status = 200)'],
    ],
    [
      'log',
      'Count requests with status 404 or 500 and method GET',
      ['requests = count of rows; only rows where status = 404 or 500 and method = "GET"'],
    ],
    [
      'log',
      'number of requests per hour of the day',
      [
        'requests = count of rows per hour of day (hour of day of time); ordered by hour of day ascending',
      ],
    ],
    [
      'log',
      'number of distinct clients per day',
      [
        'distinct clients = number of distinct client per day (day of time); ordered by day ascending',
      ],
    ],
    [
      'log',
      'Top 5 client addresses by number of requests',
      ['requests = count of rows per client, the first 5; ranked by requests descending'],
    ],
    [
      'log',
      '10 most requested pages',
      ['requests = count of rows per path, the first 10; ranked by requests descending'],
    ],
    [
      'log',
      'most frequent status codes',
      ['requests = count of rows per status, the first 10; ranked by requests descending'],
    ],
    [
      'log',
      'Which user agent is the most common?',
      ['requests = count of rows per user_agent, the first 1; ranked by requests descending'],
    ],
    [
      'log',
      'Which endpoint has the most errors?',
      [
        'errors = count of rows per endpoint, the first 1; only rows where status >= 400; ranked by errors descending',
      ],
    ],
    [
      'log',
      'Which client sent the most requests?',
      ['requests = count of rows per client, the first 1; ranked by requests descending'],
    ],
    [
      'log',
      'the five clients with the fewest errors',
      [
        'errors = count of rows where status >= 400 per client, the first 5; ranked by errors ascending',
      ],
    ],
    [
      'log',
      'top 10 endpoints by average response time',
      [
        'average duration_ms = mean of duration_ms per endpoint, the first 10; ranked by average duration_ms descending',
      ],
    ],
    [
      'log',
      'the five endpoints with the highest average duration',
      [
        'average duration_ms = mean of duration_ms per endpoint, the first 5; ranked by average duration_ms descending',
      ],
    ],
    [
      'log',
      'the five endpoints with the most errors and their average duration',
      [
        'errors = count of rows where status >= 400, average duration_ms = mean of duration_ms per endpoint, the first 5; ranked by errors descending',
      ],
    ],
    [
      'log',
      'Show endpoints with more than 10 errors',
      [
        'errors = count of rows where status >= 400 per endpoint; only groups where errors > 10; ordered by errors descending, then endpoint ascending',
      ],
    ],
    [
      'log',
      'Count requests per endpoint with more than 100 errors',
      [
        'requests = count of rows per endpoint; only groups where errors > 100; ordered by requests descending, then endpoint ascending',
      ],
    ],
    [
      'log',
      'average, median and p95 duration per endpoint',
      [
        'average duration_ms = mean of duration_ms, median duration_ms = median of duration_ms, p95 duration_ms = 95th percentile (interpolated) of duration_ms per endpoint; ordered by average duration_ms descending, then endpoint ascending',
      ],
    ],
    [
      'log',
      'average response time per endpoint, slowest first',
      [
        'average duration_ms = mean of duration_ms per endpoint; ordered by average duration_ms descending',
      ],
    ],
    [
      'log',
      'What is the total number of bytes sent per client, top 5?',
      [
        'total bytes = sum of bytes per client, the first 5; ranked by total bytes descending, then client ascending',
      ],
    ],
    [
      'log',
      'sum of bytes per day in MB, rounded to 1 decimal',
      [
        'sum bytes = sum of bytes * 0.000001 per day (day of time); ordered by day ascending; rounded to 1 decimal',
      ],
    ],
    [
      'log',
      'total duration per client in seconds',
      [
        'total duration = sum of duration_ms * 0.001 per client; ordered by total duration descending, then client ascending',
      ],
    ],
    [
      'log',
      'number of requests, number of errors and the average duration per endpoint',
      [
        'requests = count of rows, errors = count of rows where status >= 400, average duration_ms = mean of duration_ms per endpoint; ordered by requests descending, then endpoint ascending',
      ],
    ],
    [
      'log',
      'number of GET requests and number of POST requests per endpoint',
      [
        'GET requests = count of rows where method = "GET", POST requests = count of rows where method = "POST" per endpoint; ordered by GET requests descending, then endpoint ascending',
      ],
    ],
    [
      'log',
      'share of errors per endpoint',
      [
        'share of errors = share of rows where status >= 400 per endpoint; ordered by share of errors descending, then endpoint ascending',
      ],
    ],
    [
      'log',
      'error rate per endpoint',
      [
        'error rate = share of rows where status >= 400 per endpoint; ordered by error rate descending, then endpoint ascending',
      ],
    ],
    [
      'log',
      'What percentage of requests are errors?',
      ['percentage of requests are errors = share of rows where status >= 400'],
    ],
    [
      'log',
      'average response time of GET requests to /api/search',
      [
        'average duration_ms = mean of duration_ms; only rows where method = "GET" and path = "/api/search"',
      ],
    ],
    [
      'log',
      'Count errors per endpoint and requests per client',
      [
        'errors = count of rows per endpoint; only rows where status >= 400; ordered by errors descending, then endpoint ascending',
        'requests = count of rows per client; ordered by requests descending, then client ascending',
      ],
    ],
    [
      'log',
      'Find the ten slowest requests and count errors per endpoint',
      [
        'the first 10 rows; ranked by duration_ms descending',
        'errors = count of rows per endpoint; only rows where status >= 400; ordered by errors descending, then endpoint ascending',
      ],
    ],
    [
      'log',
      'On 2026-03-02, find the ten slowest requests and count errors per endpoint',
      [
        'the first 10 rows; only rows where day of time = "2026-03-02"; ranked by duration_ms descending',
        'errors = count of rows per endpoint; only rows where day of time = "2026-03-02" and status >= 400; ordered by errors descending, then endpoint ascending',
      ],
    ],
    [
      'log',
      'Write hours.csv with header hour,requests,errors: per hour the number of requests and the number of errors',
      [
        'requests = count of rows, errors = count of rows where status >= 400 per hour (hour of time); ordered by hour ascending -> hours.csv',
      ],
    ],
    [
      'log',
      'Write e.json as a list of {"endpoint","errors"}: the five endpoints with the most errors, ties by endpoint, ordered by endpoint',
      [
        'errors = count of rows per endpoint, the first 5; only rows where status >= 400; ranked by errors descending, then endpoint ascending; ordered by endpoint ascending -> e.json',
      ],
    ],
    [
      'log',
      'Write e.json as a list of {"endpoint","requests","errors","rate"} per endpoint (rate = percentage of errors), rounded to 2 decimals',
      [
        'rate = share of rows where status >= 400, requests = count of rows, errors = count of rows where status >= 400 per endpoint; ordered by rate descending, then endpoint ascending; rounded to 2 decimals -> e.json',
      ],
    ],
    [
      'log',
      'Write s.json with {"requests": number of requests, "top_endpoint": the endpoint with the most requests, "slowest": {"path","duration_ms"}}',
      [
        'requests = count of rows + requests = count of rows per endpoint, the first 1; ranked by requests descending + the first 1 rows (path, duration_ms); ranked by duration_ms descending -> s.json',
      ],
    ],
    [
      'log',
      'Write by_status.json as an object mapping each status code to the number of requests',
      [
        'requests = count of rows per status; ordered by requests descending, then status ascending -> by_status.json',
      ],
    ],
    [
      'log',
      'Write slow.json with the keys path, ms: the five slowest requests',
      ['the first 5 rows (path, ms); ranked by duration_ms descending -> slow.json'],
    ],
    [
      'products',
      'How many products are out of stock?',
      ['products = count of rows; only rows where Availability = "out_of_stock"'],
    ],
    ['products', 'How many categories are there?', ['categories = number of distinct Category']],
    [
      'products',
      'number of products per Availability',
      [
        'products = count of rows per Availability; ordered by products descending, then Availability ascending',
      ],
    ],
    [
      'products',
      'List the Name and Price of all products in the category Furniture',
      ['all rows (Name, Price); only rows where Category = "Furniture"'],
    ],
    ['products', 'the 5 most expensive products', ['the first 5 rows; ranked by Price descending']],
    [
      'products',
      'the five cheapest products with Stock above 100',
      ['the first 5 rows; only rows where Stock > 100; ranked by Price ascending'],
    ],
    [
      'products',
      'average price per category, rounded to 2 decimals, highest first',
      [
        'average Price = mean of Price per Category; ordered by average Price descending; rounded to 2 decimals',
      ],
    ],
    [
      'products',
      'which category has the most products',
      ['products = count of rows per Category, the first 1; ranked by products descending'],
    ],
    [
      'products',
      'the three categories with the highest average price',
      [
        'average Price = mean of Price per Category, the first 3; ranked by average Price descending',
      ],
    ],
    [
      'products',
      'sum of Price*Stock for products in the category Furniture',
      ['sum Price*Stock = sum of Price * Stock; only rows where Category = "Furniture"'],
    ],
    [
      'products',
      'total stock per category',
      [
        'total Stock = sum of Stock per Category; ordered by total Stock descending, then Category ascending',
      ],
    ],
    [
      'products',
      'products with Price between 100 and 200',
      ['all rows; only rows where Price is between 100 and 200'],
    ],
    [
      'products',
      'products whose Color contains Green',
      ['all rows; only rows where Color contains "Green"'],
    ],
    ['products', 'products without Color', ['all rows; only rows where Color is empty']],
    [
      'products',
      'categories with an average price above 100',
      [
        'average Price = mean of Price per Category; only groups where average Price > 100; ordered by average Price descending, then Category ascending',
      ],
    ],
    [
      'products',
      'the most expensive product of each category',
      ['the first 1 rows of each Category; ranked by Price descending'],
    ],
    [
      'products',
      'Write brands.json: for each brand with at least 2 products a list of {"brand","products"}',
      [
        'products = count of rows per Brand; only groups where products >= 2; ordered by products descending, then Brand ascending -> brands.json',
      ],
    ],
    [
      'products',
      'Write cheap.csv: all products with a Price below 50, with columns Name, Price and Stock, sorted by Price',
      [
        'all rows (Name, Price, Stock); only rows where Price < 50; ordered by Price ascending -> cheap.csv',
      ],
    ],
    [
      'products',
      'Sort products.csv by Price descending and write sorted.csv',
      ['all rows; ordered by Price descending -> sorted.csv'],
    ],
    ['products', 'Convert products.csv to products.json', ['all rows -> products.json']],
    [
      'products',
      'products.csv lists products with Price and Stock. Write stock.csv with header category,products,stock_value: per Category the number of products and the sum of Price*Stock, highest stock value first.',
      [
        'products = count of rows, stock_value = sum of Price * Stock per Category; ordered by stock_value descending -> stock.csv',
      ],
    ],
    [
      'weather',
      'How many days with weather rain are there in weather.csv?',
      ['days = count of rows; only rows where weather = "rain"'],
    ],
    [
      'weather',
      'count days where weather is fog or wind > 5',
      ['days = count of rows; only rows where weather = "fog" or wind > 5'],
    ],
    [
      'weather',
      'count days where weather is not sun',
      ['days = count of rows; only rows where not (weather = "sun")'],
    ],
    [
      'weather',
      'the 5 days with the highest temp_max',
      ['the first 5 rows; ranked by temp_max descending'],
    ],
    ['weather', 'the windiest day', ['the first 1 rows; ranked by wind descending']],
    [
      'weather',
      'average temp_max per month',
      ['average temp_max = mean of temp_max per month (month of date); ordered by month ascending'],
    ],
    [
      'weather',
      'average of temp_max - temp_min per year',
      [
        'average temp_max - temp_min = mean of temp_max - temp_min per year (year of date); ordered by year ascending',
      ],
    ],
    [
      'weather',
      'which month had the most precipitation',
      [
        'sum precipitation = sum of precipitation per month (month of date), the first 1; ranked by sum precipitation descending',
      ],
    ],
    [
      'weather',
      'total precipitation per year rounded to 1 decimal',
      [
        'total precipitation = sum of precipitation per year (year of date); ordered by year ascending; rounded to 1 decimal',
      ],
    ],
    [
      'weather',
      'number of days with temp_max above 25 and number of days with temp_min below 0 per year',
      [
        'days where temp_max > 25 = count of rows where temp_max > 25, days where temp_min < 0 = count of rows where temp_min < 0 per year (year of date); ordered by year ascending',
      ],
    ],
    [
      'weather',
      'Write out.json: per year a list of {"year","days","mean_temp_max","total_precipitation"}, rounded to 2 decimals',
      [
        'days = count of rows, mean_temp_max = mean of temp_max, total_precipitation = sum of precipitation per year (year of date); ordered by year ascending; rounded to 2 decimals -> out.json',
      ],
    ],
    [
      'weather',
      'Write summary.json with {"first": earliest date, "rain_days": number of days with weather rain, "max_wind": maximum wind}',
      [
        'earliest date = minimum of date + days = count of rows; only rows where weather = "rain" + maximum wind = maximum of wind -> summary.json',
      ],
    ],
    [
      'weather',
      'weather.csv has one line per day. Write months.json with {"hottest": {"month":"YYYY-MM","mean_temp_max"}, "days": number of days}; values rounded to 2 decimals.',
      [
        'mean_temp_max = mean of temp_max per month (month of date), the first 1; ranked by mean_temp_max descending; rounded to 2 decimals + days = count of rows; rounded to 2 decimals -> months.json',
      ],
    ],
    [
      'weather',
      'count days where temp_max > 30 and wind < 3',
      ['days = count of rows; only rows where temp_max > 30 and wind < 3'],
    ],
    [
      'weather',
      'days with precipitation above 30',
      ['all rows; only rows where precipitation > 30'],
    ],
    ['products', 'Price of products', ['all rows (Price)']],
  ])('about the %s, %s, is read as it is meant', (name, text, readings) => {
    expect(read(name, text)).toEqual(readings);
  });

  it('becomes exactly this query', () => {
    const [plan] = understand(
      'Write top.json: the ten client addresses with the most requests as a list of {"ip","requests","not_found"} (not_found = number of their requests answered with 404), most requests first, ties by address as text.',
      questionTables.log(),
    );
    const byRequests = { by: { output: 1 }, direction: 'descending', asText: false };
    const byClient = { by: { output: 0 }, direction: 'ascending', asText: true };
    const notFound = { left: { kind: 'column', column: 'status' }, test: '=', values: [404] };
    expect(plan?.queries).toEqual([
      {
        source: 'access.log',
        filters: [],
        groupBy: [{ name: 'client', expression: { kind: 'column', column: 'client' } }],
        measures: [
          { name: 'requests', aggregate: 'count', where: [], isHidden: false },
          {
            name: 'not_found',
            aggregate: 'count',
            where: [{ any: [notFound], negated: false }],
            isHidden: false,
          },
        ],
        having: [],
        rank: [{ by: { output: 1 }, direction: 'descending' }, byClient],
        limit: 10,
        order: [byRequests, byClient],
        select: [],
      },
    ]);
    expect(plan).toMatchObject({
      file: 'top.json',
      format: 'json',
      columns: [
        { key: 'ip', column: 0 },
        { key: 'requests', column: 1 },
        { key: 'not_found', column: 2 },
      ],
    });
  });

  it.each<[Name, string, string[]]>([
    ['log', 'Find the anomalies in access.log', ['anomalies']],
    ['log', 'Explain why the checkout is slow', ['Explain', 'why', 'checkout', 'slow']],
    ['log', 'Find the ten slowest requests that are suspicious', ['that', 'suspicious']],
    [
      'log',
      'Find the ten slowest requests in access.log but ignore health checks',
      ['but', 'ignore', 'health', 'checks'],
    ],
    ['log', 'Count requests per endpoint joined with users', ['joined', 'with', 'users']],
    ['log', 'Delete the errors', ['Delete']],
    ['log', 'Count requests with status 404 and method GET or method PUT', ['or', 'method', 'PUT']],
    ['log', 'errors yesterday', ['yesterday']],
    ['log', 'errors in the last hour', ['in', 'last', 'hour']],
    ['log', 'errors between 10:00 and 12:00', ['between', '10', '00', '12', '00']],
    ['log', 'How many requests per client on average?', ['on', 'average']],
    ['log', 'average response time excluding the slowest 1%', ['excluding', 'slowest', '1', '%']],
    ['log', 'Do not count 304 responses. Count requests per endpoint.', ['not', 'count']],
    ['log', 'Count requests per endpoint but not those answered with 304', ['but', 'not', 'those']],
    ['log', 'the worst endpoints', ['worst']],
    [
      'log',
      'number of requests and average duration where status is 200 per endpoint',
      ['where', 'status', '200'],
    ],
    ['log', 'requests with colour red', ['with', 'colour', 'red']],
    ['log', 'Write out.pdf: the errors per endpoint', ['write', 'out.pdf']],
    ['log', 'Write out.csv as JSON: the errors per endpoint', ['write']],
    ['log', 'Compare errors between GET and POST', ['Compare', 'between', 'GET', 'POST']],
    ['log', 'Forecast the requests of tomorrow', ['Forecast', 'of', 'tomorrow']],
    ['log', 'requests from Germany', ['from', 'Germany']],
    ['log', 'Translate access.log', ['Translate']],
    ['log', 'Count the requests unless they failed', ['unless', 'they', 'failed']],
    ['log', 'errors per endpoint per', ['per']],
    ['log', 'errors divided by requests', ['divided', 'by', 'requests']],
    ['log', 'Count the requests of the first 100 lines', ['of', 'first', '100', 'lines']],
    ['log', 'moving average of duration per hour', ['moving']],
    ['products', 'How many products are red or blue?', ['or', 'blue']],
    ['products', 'products with Price above cheap', ['with', 'Price', 'above', 'cheap']],
    ['products', 'products with Availability sold_out', ['with', 'Availability', 'sold_out']],
    ['products', 'number of suppliers', ['number', 'of', 'suppliers']],
    ['products', 'sum of Price per Shop', ['per', 'Shop']],
    ['products', 'the best products', ['best']],
    ['products', 'Add a column value = Price*Stock', ['Add', 'column', 'value', '=', '*', 'Stock']],
    ['products', 'Delete products with Price above 100', ['Delete']],
    ['products', 'products.csv lists cars with Speed. How many cars are there?', ['with', 'Speed']],
    ['products', 'median and mode of Price', ['median', 'mode', 'of']],
    ['weather', 'longest run of rainy days', ['longest', 'run', 'of', 'rainy']],
    ['weather', 'correlation between wind and precipitation', ['correlation', 'between']],
    ['weather', 'how many days were not sunny', ['not', 'sunny']],
    ['weather', 'what is the average temperature', ['average', 'temperature']],
    ['weather', 'average temp_max in Celsius', ['in', 'Celsius']],
  ])(
    'about the %s, %s, is refused for exactly the words that have no meaning',
    (name, text, words) => {
      const { code, message } = failureOf(name, text);
      const named = /can't be understood: (.*?)\. Understood are/.exec(message)?.[1] ?? '';
      expect({ code, words: [...named.matchAll(/"([^"]*)"/g)].map(([, word]) => word) }).toEqual({
        code: 'NOT_UNDERSTOOD',
        words,
      });
    },
  );

  it('that is refused names the columns that exist and the setting that gives a model', () => {
    const { message } = failureOf('products', 'Find the anomalies in products.csv');
    expect(message).toContain('Index, Name, Brand, Category, Price, Stock, Availability, Color');
    expect(message).toContain('CAPSTAN_PROVIDER');
  });

  it.each<[Name, string, string, string]>([
    [
      'log',
      'the three slowest endpoints',
      'AMBIGUOUS',
      '"slowest endpoints" does not say how the values of one endpoint count together:',
    ],
    ['log', 'requests slower than 5', 'AMBIGUOUS', '"5" has no unit:'],
    [
      'log',
      'Count requests excluding POST and GET',
      'AMBIGUOUS',
      '"not … and …" can be read in two ways; use separate conditions or "or".',
    ],
    [
      'log',
      'By endpoint, count errors, and by client, count requests',
      'AMBIGUOUS',
      'What stands in front of the first question may hold for the next ones too.',
    ],
    [
      'log',
      'Find the ten slowest requests and count the errors per endpoint. Only POST requests.',
      'AMBIGUOUS',
      'A condition stands behind several questions; which of them it is about is not clear.',
    ],
    [
      'log',
      'Find the requests with the highest duration per endpoint',
      'NOT_UNDERSTOOD',
      'How many of each "endpoint" are asked for is not said.',
    ],
    ['log', 'show me 5 requests', 'NOT_UNDERSTOOD', '"5 requests" does not say by what:'],
    ['log', 'top 10 requests', 'NOT_UNDERSTOOD', '"top 10 requests" does not say by what:'],
    [
      'log',
      'duration per endpoint',
      'NOT_UNDERSTOOD',
      'A top list of "duration_ms" within each "endpoint" can\'t be made.',
    ],
    [
      'log',
      'requests larger than 5 ms',
      'NOT_UNDERSTOOD',
      '"5 ms" can\'t be compared with "bytes", which is in bytes.',
    ],
    [
      'log',
      'Write a.json: the slowest requests',
      'NOT_UNDERSTOOD',
      'How many of "requests" to write is not said.',
    ],
    [
      'log',
      'Write x.json with {"total", "foo"}: the errors per endpoint',
      'NOT_UNDERSTOOD',
      'One object was asked for, and several rows:',
    ],
    [
      'log',
      'Write x.csv with header endpoint,median: per endpoint the average duration',
      'NOT_UNDERSTOOD',
      'It is not clear what "median" in the output stands for.',
    ],
    [
      'log',
      'Write x.csv with header endpoint,a,b: per endpoint the average duration',
      'NOT_UNDERSTOOD',
      'It is not clear what "a" in the output stands for.',
    ],
    [
      'log',
      'Write x.json as a list of {"day","rank"} per day',
      'NOT_UNDERSTOOD',
      'It is not clear what "rank" in the output stands for.',
    ],
    [
      'log',
      'access.log is a CSV file. Count the requests.',
      'INPUT_INVALID',
      'access.log was called "csv", but it is read as:',
    ],
    [
      'products',
      'total Name per Category',
      'NOT_UNDERSTOOD',
      'The column "Name" holds no numbers:',
    ],
    ['products', 'average Color', 'NOT_UNDERSTOOD', 'The column "Color" holds no numbers:'],
    [
      'products',
      'number of Price',
      'AMBIGUOUS',
      '"number of Price" may mean the sum of "Price" or its distinct values:',
    ],
    ['products', 'sum of Price * Name', 'NOT_UNDERSTOOD', 'The column "Name" holds no numbers:'],
    ['products', 'top 3 brands', 'NOT_UNDERSTOOD', '"top 3 brands" does not say by what:'],
    [
      'weather',
      'the five hottest days',
      'AMBIGUOUS',
      '"hottest" may go by "temp_max" or "temp_min":',
    ],
  ])('about the %s, %s, is refused as %s', (name, text, code, start) => {
    const failure = failureOf(name, text);
    expect(failure.code).toBe(code);
    expect(failure.message.startsWith(start)).toBe(true);
  });
});

describe('no word is passed over', () => {
  const questions: readonly [Name, string][] = [
    ['log', 'Find the ten slowest requests in access.log'],
    ['log', 'Count the errors per endpoint in access.log, most errors first'],
    ['log', 'the five clients with the most requests'],
    ['products', 'average Price per Category, rounded to 2 decimals'],
    ['products', 'the 5 most expensive products with Stock above 100'],
    ['weather', 'total precipitation per month in weather.csv'],
  ];

  it.each(
    'frobnicated except not unless nearly cumulative joined yesterday never twice without excluding only half approximately average median latest random other both consecutive duplicate missing hidden outliers moving unlike but nor if'.split(
      ' ',
    ),
  )('the word "%s" anywhere in a question changes its reading or is refused', (word) => {
    for (const [name, text] of questions) {
      const words = text.split(' ');
      for (let at = 0; at <= words.length; at += 1) {
        const changed = words.toSpliced(at, 0, word).join(' ');
        expect(outcome(name, changed), changed).not.toBe(outcome(name, text));
      }
    }
  });

  function outcome(name: Name, text: string): string {
    try {
      return read(name, text).join(' / ');
    } catch (error) {
      if (error instanceof TaskError) return error.message;
      throw error;
    }
  }
});
