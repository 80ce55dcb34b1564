import { expect, it } from 'vitest';
import { askFiles } from '../../../test/sentences/ask-files.ts';

const ask = askFiles({
  'flats.csv': 'flat,status,price\n1,free,80\n2,booked,90\n',
  'desks.csv': 'desk,price,taken_by\nA,5,Ann\nB,6,\n',
  'pay.csv': 'name,annual_salary\nAnn,30000\nBo,60000\n',
  'members.csv': 'name,joined,monthly_fee\nAda,2024-05-11,49\nBen,2024-06-01,19\n',
  'sales.csv': 'id,channel\n1,online\n2,shop\n3,online\n',
  'goods.csv': 'name,color,price,stock\nA,red,10,5\nB,blue,20,3\n',
  'taxes.csv': 'category,rate\nstandard,19\nreduced,7\n',
  'plans.csv': 'item,planned,spent\nA,100,120\nB,50,\n',
  'weather.csv': 'day,high,low\n2025-01-01,5,1\n2025-01-02,7,2\n',
  'lamps.csv': 'lamp,stock,target,cost\nfloor,3,10,25\ndesk,50,20,10\n',
  'mail.csv': 'id,customer,delivery\n1,Ann,late\n2,Bo,late\n',
  'register.csv': 'pupil,subject,status\nAnn,maths,absent\nBo,art,absent\nBo,art,absent\n',
  'races.csv': 'runner,coach,race\nAnn,Cid,R1\nBo,Cid,R2\nBo,Cid,R3\n',
  'helpers.csv': 'name,cook\nAnn,yes\nBo,no\n',
  'dishes.json': JSON.stringify([
    { name: 'pie', ingredients: ['nuts'], allergens: ['milk'] },
    { name: 'bar', ingredients: ['oat'], allergens: ['nuts'] },
  ]),
});

/** Each has words that a rule could drop: the answer uses them, or the question is refused. */
it.each<[string, readonly unknown[][] | undefined]>([
  ['Which flats are free?', [[1, 'free', 80]]],
  ['How many desks are free?', undefined],
  ['Who earns more than 3000 a month?', undefined],
  ['what do our members pay per month in total', [[68]]],
  ['Which goods have fewer than 6 red goods left?', undefined],
  ['How many sales came from our shop?', [[1]]],
  ['What is the stock of the red goods worth?', undefined],
  ['What are our goods worth?', [[110]]],
  ['What is the standard rate in taxes.csv?', undefined],
  ['By how much did the total spent differ from the total planned in plans.csv?', [[-30]]],
  ['What is the difference between the high and the low in weather.csv?', undefined],
  ['Which lamps are below the target?', [['floor', 3, 10, 25]]],
  ['How many customers complained because delivery was late?', undefined],
  ['How many guitars are there? (price over 15 in goods.csv)', undefined],
  ['Who was absent from maths the most in register.csv?', undefined],
  ['Who ran the most races?', undefined],
  ['Which helpers must cook?', undefined],
  ['Which dishes have nuts among their allergens?', undefined],
])('uses all words of %s', async (question, expected) => {
  const found = await ask(question).then(
    ({ data }) => (data as { rows: unknown }).rows,
    () => undefined,
  );
  expect(found).toEqual(expected);
});
