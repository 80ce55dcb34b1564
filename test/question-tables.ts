import { dayNoun } from '../src/handlers/tables/day-noun.ts';
import { createAccessLogParser } from '../src/handlers/tables/parse-access-log.ts';
import { createCsvParser } from '../src/handlers/tables/parse-csv.ts';
import type { RowParser } from '../src/handlers/tables/row-parser.ts';
import type { Table } from '../src/handlers/tables/table.ts';

const line = (rest: string) =>
  `10.0.0.1 - - [02/Mar/2026:06:00:06 +0000] ${rest} "-" "curl/8.5" duration_ms=12`;

const accessLog = [
  line('"GET /api/orders/7 HTTP/1.1" 200 512'),
  line('"POST /api/login HTTP/1.1" 401 64'),
  line('"PUT /api/orders/8 HTTP/1.1" 500 0'),
].join('\n');

const products = `Index,Name,Brand,Category,Price,Stock,Availability,Color
1,Tablet,Lewis Ltd,Laptops & Computers,502,81,in_stock,Dark Green
2,Desk,Garner LLC,Furniture,265,774,pre_order,Red
3,Lamp,Garner LLC,Furniture,20,5,out_of_stock,Red
`;

const weather = `date,precipitation,temp_max,temp_min,wind,weather
2012-01-01,0.0,12.8,5.0,4.7,drizzle
2012-01-02,10.9,10.6,2.8,4.5,rain
2012-02-03,0.8,11.7,7.2,2.3,sun
2012-02-04,0.0,6.1,1.1,1.9,fog
`;

function tableOf(name: string, parser: RowParser, text: string, nouns: readonly string[]): Table {
  const rows = parser.start({ text, fromLine: 1, isLast: true, bytes: text.length });
  const columns = parser.columns();
  return {
    name,
    format: parser.format,
    isLog: parser.isLog,
    columns,
    rowNouns: [...nouns, ...dayNoun(columns, rows)],
    skipped: parser.skipped,
    isWhole: true,
    async *rows() {
      yield rows;
    },
  };
}

/** Small tables to read questions against: `access.log`, `products.csv`, `weather.csv`. */
export const questionTables = {
  log: () => tableOf('access.log', createAccessLogParser(), accessLog, ['request', 'line']),
  products: () => tableOf('products.csv', createCsvParser(products), products, ['products']),
  weather: () => tableOf('weather.csv', createCsvParser(weather), weather, ['weather']),
};
