import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { workOnFiles } from './file-forms.ts';

const plan = '# Plan\n\n## Launch (May)\n\n- [ ] Order toner\n- [x] Print flyers\n- [ ] Call Tom\n';
const letter = 'Dear CUSTOMER,\nplease pay within 14 days.\nNo, 140 days are too many. 14 days!\n';
const home = '# Home\n\n## Shopping\n\n- [ ] Soap\n\n## School\n\n- Leo: swimming\n';
const files = {
  'home.md': home,
  'shop.md':
    '# Shop and cellar\n\n## Cellar\n\n- [ ] Count\n\n## Shop\n\n- [ ] Sweep the floor\n\n## Chores\n\n- [ ] Dust\n',
  'chores.md':
    '- [ ] Sweep (due 2025-06-12)\n- [ ] Mow, until 2 July 2025\n- [ ] Paint - urgent\n- [x] Dust\n',
  'minutes.md':
    '# Club\n\n## 4 June 2025\n\nPresent: Ann, Bob.\nDecision: the fee stays.\n\n## Restore\n\nNever on Friday.\n1. Log in.\n2. Run it.\n\n## Next meeting\n\n2025-07-02, hall. Ask Ann. Bring tea.\n',
  'makers.txt':
    'GreenHands, Piet Vos\nWeb: http://greenhands.example\n\nBlanc, http://blanc.example\n',
  'plan.md': plan,
  'letters/reminder.txt': letter,
  'notes/meeting.md': 'Write to ann@x.example.\nWrite to bob@x.example.\n',
  'a.log': '1 INFO start\n2 DEBUG x\n\n3 ERROR disk\n4 DEBUG y\n',
  'main.js': "#!/usr/bin/env node\n// says hello\nconsole.log('//');\n",
  'app.json':
    '{\n  "server": {"port": 80, "host": "x"},\n  "port_name": "http",\n  "max_mb": 5\n}\n',
  'stock.csv': 'id,name,price\n1,pot,2.10\n',
  'src/one.js': 'splitRow(1); splitRows(2);\n',
  'test/two.js': 'splitRow(3);\n',
  'garage.txt': 'The garage. Two garages, one Garage.\n',
};

let bench: Bench;
afterEach(() => bench.remove());

async function after(task: string) {
  bench = await openBench(files);
  await workOnFiles(bench.context(task));
  return (path: string) => readFileSync(join(bench.workspace, path), 'utf8');
}

it.each<[task: string, path: string, content: string]>([
  ['Mark the toner task in plan.md as done', 'plan.md', plan.replace('[ ] O', '[x] O')],
  ['The call to Tom is done, tick it off in plan.md', 'plan.md', plan.replace('[ ] C', '[x] C')],
  ['untick "Print flyers" in plan.md', 'plan.md', plan.replace('[x] P', '[ ] P')],
  ['Delete the finished tasks from plan.md', 'plan.md', plan.replace('- [x] Print flyers\n', '')],
  [
    'add a task "Rest" under Launch in plan.md',
    'plan.md',
    plan.replace('Call Tom\n', 'Call Tom\n- [ ] Rest\n'),
  ],
  [
    'Add "Sun cream" to the shopping list in home.md',
    'home.md',
    home.replace('Soap\n', 'Soap\n- [ ] Sun cream\n'),
  ],
  [
    'Fix the typo "toner" in plan.md, it should be "inks"',
    'plan.md',
    plan.replace('toner', 'inks'),
  ],
  [
    'Correct the spelling of "toner" in plan.md to "paper"',
    'plan.md',
    plan.replace('toner', 'paper'),
  ],
  [
    'plan.md: replace "toner" with "ink" in the whole file',
    'plan.md',
    plan.replace('toner', 'ink'),
  ],
  [
    'put "Milk" on the home list for the shopping',
    'home.md',
    home.replace('Soap\n', 'Soap\n- [ ] Milk\n'),
  ],
  ['Add "Rest" as an open item at the end of plan.md', 'plan.md', `${plan}- [ ] Rest\n`],
  [
    'Add "Rest" to the Launch section of plan.md',
    'plan.md',
    plan.replace('Call Tom\n', 'Call Tom\n- [ ] Rest\n'),
  ],
  ['add "Rest" to the end of plan.md', 'plan.md', `${plan}Rest\n`],
  ['Put the line "z" at the very end of a.log', 'a.log', `${files['a.log']}z\n`],
  ['append an open task to plan.md: Pay rent', 'plan.md', `${plan}- [ ] Pay rent\n`],
  ['remove every line that mentions a debug from a.log', 'a.log', '1 INFO start\n\n3 ERROR disk\n'],
  ['add the task water the plants to plan.md', 'plan.md', `${plan}- [ ] water the plants\n`],
  ['Delete all the DEBUG lines from a.log', 'a.log', '1 INFO start\n\n3 ERROR disk\n'],
  ['Keep only the lines in a.log that contain "DEBUG"', 'a.log', '2 DEBUG x\n4 DEBUG y\n'],
  ['remove the last two lines of a.log', 'a.log', '1 INFO start\n2 DEBUG x\n\n'],
  ['get rid of the blank lines in a.log', 'a.log', files['a.log'].replace('\n\n', '\n')],
  ['save only the ERROR lines of a.log as e.log', 'e.log', '3 ERROR disk\n'],
  ['copy lines 1 to 2 of a.log to b.log', 'b.log', '1 INFO start\n2 DEBUG x\n'],
  [
    'Extract all email addresses from the meeting notes into mails.txt',
    'mails.txt',
    'ann@x.example\nbob@x.example\n',
  ],
  [
    'change 14 days to 10 days in the reminder letter',
    'letters/reminder.txt',
    letter.replaceAll('14 days', '10 days'),
  ],
  [
    'replace CUSTOMER with Emer in reminder.txt',
    'letters/reminder.txt',
    letter.replace('CUSTOMER', 'Emer'),
  ],
  [
    'rename splitRow to splitLine everywhere in src and test',
    'src/one.js',
    'splitLine(1); splitRows(2);\n',
  ],
  [
    'replace garage with workshop everywhere in garage.txt',
    'garage.txt',
    'The workshop. Two workshops, one Garage.\n',
  ],
  ['change the port in app.json to 9090', 'app.json', files['app.json'].replace('80', '9090')],
  ['set server.host to y in app.json', 'app.json', files['app.json'].replace('"x"', '"y"')],
  ['add a new line 2,pan,3.50 to stock.csv', 'stock.csv', `${files['stock.csv']}2,pan,3.50\n`],
  ['put "last" at the end of a.log', 'a.log', `${files['a.log']}last\n`],
  ['create a .gitignore with node_modules in it', '.gitignore', 'node_modules'],
  ['make a backup of stock.csv', 'stock-backup.csv', files['stock.csv']],
  ['move all txt files in letters into a folder called old', 'old/reminder.txt', letter],
  ['add "Rest" to the list in plan.md', 'plan.md', `${plan}- [ ] Rest\n`],
  ['make a copy of stock.csv and call it old.csv', 'old.csv', files['stock.csv']],
  ['Copy stock.csv into the folder old/2025', 'old/2025/stock.csv', files['stock.csv']],
  ['Make a backup copy of stock.csv called s.csv', 's.csv', files['stock.csv']],
  ['make a safety copy of a.log in the folder old', 'old/a.log', files['a.log']],
  [
    'Our shop has a new name: replace CUSTOMER with Emer in reminder.txt',
    'letters/reminder.txt',
    letter.replace('CUSTOMER', 'Emer'),
  ],
  [
    'We close earlier now: replace "CUSTOMER" with "Emer" in letters/reminder.txt',
    'letters/reminder.txt',
    letter.replace('CUSTOMER', 'Emer'),
  ],
  ['Append "adress, recieve" to a.log', 'a.log', `${files['a.log']}adress, recieve\n`],
])('%s', async (task, path, content) => {
  expect((await after(task))(path)).toBe(content);
});

it.each<[task: string, shown: string]>([
  ['What headings does plan.md have?', '- # Plan'],
  ['plan.md - what is not done yet under the heading Launch?', '2 open tasks'],
  ["What's left to do in the Shop section of shop.md?", '1 open task'],
  ['What is still to do in the chores file?', '3 open tasks'],
  ['Which open tasks in chores.md have a due date?', '2 open tasks'],
  ['In which of the files is the toner mentioned?', '- plan.md (1 line)'],
  ['In which files is Leo mentioned?', '- home.md (1 line)'],
  ['Which files mention Dear CUSTOMER?', '- letters/reminder.txt (1 line)'],
  ['what is under "Next meeting" in minutes.md?', '> 2025-07-02, hall.'],
  ['search all files here for the word toner and tell me which ones have it', '- plan.md (1 line)'],
  ['find the plan lines with the flyers', 'plan.md:6'],
  ['Every link in the makers from the office please (makers.txt)', '2 addresses'],
  ['What links are in the makers file?', '2 addresses'],
  ['tail of a.log, just the final 2 lines', '4 DEBUG y'],
  ['Emails in notes/meeting.md without repeats', '- ann@x.example'],
  ['Find everything about disk in this folder', 'a.log:4: 3 ERROR disk'],
  ['In which files does splitRow appear?', '- src/one.js (1 line)'],
  ["What's the website of GreenHands?", 'GreenHands, Piet Vos … Web: http://greenhands.example'],
  ['Emails and links in makers.txt', '2 addresses in makers.txt'],
  ['Which web links does makers.txt contain?', '2 addresses in makers.txt'],
  ['Which open tasks does plan.md have?', '2 open tasks'],
  ['What still has to be done according to plan.md?', '2 open tasks'],
  ['What is still to do under Shopping in home.md?', '1 open task '],
  ['What do I still have to do for the launch?', '- [ ] Order toner\n- [ ] Call Tom'],
  ['Show the open tasks in my launch plan', '2 open tasks'],
  ['What does Tom still have to do?', '- [ ] Call Tom'],
  ['Which chores are still open?', '- [ ] Sweep (due 2025-06-12)'],
  ['Which jobs on the list of chores have already been ticked off?', '1 done task '],
  ['which open tasks in chores.md are due in June', '- [ ] Sweep'],
  ['Which chores are due after 2025-06-30?', '1 task '],
  ['Which tasks are urgent?', '- [ ] Paint - urgent'],
  ['Who was present on 4 June 2025?', '> Present: Ann, Bob.'],
  ['What was decided about the fee?', '> Decision: the fee stays.'],
  ['What are the steps to restore?', '> ## Restore\n> 1. Log in.\n> 2. Run it.\n\nQuoted'],
  ['How do I restore?', '> Never on Friday.'],
  ['When is the next meeting?', '> 2025-07-02, hall.'],
  ["What's on the shopping list?", '> - [ ] Soap'],
  ['List every https link in makers.txt', '0 https addresses'],
  ['Give me all emails in notes/meeting.md, sorted, no doubles', '2 different e-mail addresses'],
])('answers %s', async (task, shown) => {
  bench = await openBench(files);
  const { text } = (await workOnFiles(bench.context(task))) as { text: string };
  expect(text).toContain(shown);
});

it.each<[task: string, problem: string]>([
  ['What is still to do for the garden?', 'No document has tasks of "for garden"'],
  ['open tasks except for the launch', 'No document has tasks of "except for launch"'],
  ['Which stock jobs are open?', 'jobs'],
  ['What is left in stock?', '"stock"'],
  ['Who was present on 5 June 2025?', '"present"'],
  ['What was decided about the hall?', '"decided"'],
  ['How high is the hall?', '"hall"'],
  ['Mark the task in plan.md as done', 'no open task'],
  ['Mark the flyers task in plan.md as done', 'no open task'],
  ['Mark all tasks in plan.md as done', 'no open task'],
  ['Add "Rest" as a done item at the end of plan.md', 'done'],
  ['Add "Rest" to the Garden section of plan.md', 'no heading "Garden"'],
  ['What still has to be done by Monday according to plan.md?', 'Monday'],
  ['add a line with the total to stock.csv', 'quotes'],
  ['add line numbers to a.log', 'quotes'],
  ['add the line 2,pan to stock.csv', 'has 3 fields'],
  ['create a file total.md with the total in it', 'quotes'],
  ['change the port to 8080 in a.log', 'quotes'],
  ['replace CUSTOMER with the name of the customer in reminder.txt', 'quotes'],
  ['replace garage with uppercase in garage.txt', 'quotes'],
  ['change disk to DISK in a.log', 'quotes'],
  ['change max_mb in app.json to a lot', 'quotes'],
  ['set max_mb to many in app.json', 'quotes'],
  ['change the name in app.json to y', 'no simple value'],
  ['Delete the line that contains "DEBUG" from a.log', 'Say "lines"'],
  ['Take the finished tasks out of plan.md: all of them', 'plan.md'],
  ['append a task to plan.md: buy soap. Then delete a.log', 'buy'],
  ['remove every line that mentions a plan from garage.txt', '0 lines'],
  ['remove every line with a gara from garage.txt', '0 lines'],
  ['Extract all dates from a.log into dates.txt', 'Nothing was written'],
  ['We moved: delete a.log', '"moved"'],
  ['In which files are the late fees mentioned?', 'not clear'],
  ['The first line is wrong: replace CUSTOMER with Emer in reminder.txt', '"wrong"'],
  ['The last line is wrong, please replace "gara" with "Room" in garage.txt', 'line'],
  ['The price changed for members, please replace "gara" with "Room" in garage.txt', 'price'],
  ['The title is wrong, please replace "gara" with "Room" in garage.txt', 'title'],
  ['This is true only for the top, please replace "gara" with "Room" in garage.txt', 'true'],
  ['Show all lines of garage.txt that contain numbers', 'numbers'],
  ['Show all lines of garage.txt that mention dates', 'dates'],
  ['I want you to write a.txt that says the shop is closed: delete a.log', '"shop"'],
])('changes nothing for %s', async (task, problem) => {
  await expect(after(task)).rejects.toThrow(problem);
  const changes = ['write', 'append', 'edit', 'replace', 'move', 'copy', 'delete'];
  expect(bench.calls.filter(({ args }) => changes.includes(String(args['operation'])))).toEqual([]);
});
