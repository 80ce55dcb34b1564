import { expect, it } from 'vitest';
import { openBench } from '../../../test/sentences/handler-context.ts';
import { answerFromData } from '../answer-from-data.ts';

const log = (lines: readonly string[]) =>
  lines.map((line, at) => `2026-03-01T08:1${at}:29Z INFO ${line}\n`).join('');

/** A file, and a question whose words mean something else than what a column or a row has. */
const others: readonly (readonly [file: string, text: string, question: string])[] = [
  ['staff.csv', 'name,eur_per_hour\nAnn,20\nBo,30\nCy,25\n', 'How many hours did Ann work?'],
  [
    'rooms.csv',
    'room,capacity,hours_booked\nA,10,40\nB,20,5\n',
    'How many bookings did room A have?',
  ],
  [
    'guests.csv',
    'name,city,minutes_called\nAnn,Oslo,30\nBo,Rome,5\n',
    'How many calls did Ann make?',
  ],
  [
    'door.log',
    log(['alpha called beta', 'beta called alpha', 'backup started']),
    'How often did alpha call beta?',
  ],
  [
    'visits.csv',
    'visit,date,pet,nurse\n1,2025-01-02,Rex,Eva\n2,2025-01-03,Mo,Ida\n',
    'Who came on 2 January 2025?',
  ],
  ['flats.csv', 'flat,manager,rent\n1,Eva,500\n2,Ida,600\n3,Ida,700\n', 'Who lives in flat 2?'],
  [
    'tickets.csv',
    'ticket,date,status\n1,2025-01-06,open\n2,2025-01-07,closed\n',
    'On which days are we open?',
  ],
  [
    'tickets.csv',
    'ticket,opened,status\n1,2025-01-06,open\n2,2025-01-07,closed\n',
    'When are we open?',
  ],
  [
    'goods.csv',
    'item,stock,price,min_price\nsoap,0,6,5\nmead,50,4,5\n',
    'Which goods need to be reordered?',
  ],
  [
    'goods.csv',
    'item,stock,min_stock\nsoap,0,5\nmead,50,5\n',
    'Show the goods that we have reordered',
  ],
  [
    'lessons.csv',
    'lesson,teacher,status\n1,Cy,cancelled\n2,Cy,cancelled\n3,Di,held\n',
    'Who gave the most lessons?',
  ],
  [
    'sales.csv',
    'sale,region,amount\n1,North,5\n2,North,6\n3,South,90\n',
    'Which region sold the most?',
  ],
  ['sales.csv', 'sale,amount\n1,5\n2,1200\n', 'Sales over 1.000'],
  [
    'machines.csv',
    'machine,running_cost,year\nA,900,2001\nB,700,2004\n',
    'Which machine took the longest?',
  ],
  [
    'member_orders.csv',
    'order_id,date,member_id,quantity\nO1,2025-01-08,7,6\nO2,2025-01-09,7,9\nO3,2025-02-01,8,1\n',
    'members per month',
  ],
  [
    'goods.csv',
    'item,price,cost,sold\nsoap,6,2,100\nmead,16,7,1\n',
    'Which item has the highest profit?',
  ],
  [
    'wine_sales.csv',
    'date,color,bottles\n2025-01-06,red,1\n2025-01-07,red,1\n2025-01-13,white,50\n',
    'Did we sell more red wines or more white wines?',
  ],
  [
    'rooms.csv',
    'room,floor,last_cleaned\nA,1,2019-01-01\nB,1,\nC,2,2018-02-02\n',
    'How many cleaned rooms are there?',
  ],
  [
    'worker.log',
    log(['worker-1 job done', 'worker-2 job done', 'worker-1 up']),
    'How many workers are in worker.log?',
  ],
  ['stream.log', log(['playout: started', 'uplink: lost']), "What's on at 18:00 on Friday?"],
];

it.each(others)('does not answer from %s %j: %s', async (file, text, question) => {
  const bench = await openBench({ [file]: text });
  await expect(answerFromData(bench.context(question))).rejects.toMatchObject({
    name: 'TaskError',
  });
  bench.remove();
});

it('tells `log in` from `log out`', async () => {
  const text = log(['ann logged in', 'ann logged out', 'backup started']);
  const bench = await openBench({ 'door.log': text });
  const { data } = await answerFromData(bench.context('How often did Ann log in?'));
  expect(data['rows']).toEqual([[1]]);
  bench.remove();
});
