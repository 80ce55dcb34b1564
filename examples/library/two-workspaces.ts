// Runs two tasks in two workspaces; a second process follows both runs and cancels one:
//   node two-workspaces.js start ./one ./two    (./one contains notes.txt and count.md)
//   node two-workspaces.js watch <id> <id>      (the ids that the first process prints)
import { openCapstan } from 'capstan';

// Leave this line out if your project has `@types/node`.
declare const process: { argv: string[]; env: Record<string, string | undefined>; cwd(): string };

const [mode, first = '', second = ''] = process.argv.slice(2);
const print = (line: object) => console.log(JSON.stringify(line));
const presence = () => true; // Questions wait for an answer. Without it, the run parks.
const capstan = await openCapstan({ env: process.env, cwd: process.cwd(), presence });
try {
  await (mode === 'watch' ? watch([first, second]) : start(first, second));
} finally {
  await capstan.close();
}

async function start(one: string, two: string) {
  const task = 'Count the lines of notes.txt and save the result as count.md';
  const ask = { provider: 'offline' };
  const counter = await capstan.runs.start({ task, workspace: one, settings: ask });
  const wait = 'Run `sleep 60`';
  const allow = { ...ask, approveMode: 'allow', timeout: 60 };
  const sleeper = await capstan.runs.start({ task: wait, workspace: two, settings: allow });
  for (const { id, workspace } of [counter, sleeper]) print({ id, workspace });
  print(await sleeper.finished); // The second process cancels it.
  for await (const { event } of capstan.runs.follow(counter.id)) {
    if (event.type !== 'approval.asked') continue;
    const { id, question, binding } = await capstan.approvals.get(event.approval_id);
    print({ id, question });
    await capstan.approvals.answer(id, { answer: 'approve', by: 'example', binding });
  }
  print(await counter.finished);
}

async function watch(ids: string[]) {
  const follow = async (id: string, index: number) => {
    for await (const { seq, event } of capstan.runs.follow(id)) {
      print({ id, seq, event });
      const isCancelled = index === 1 && event.type === 'tool.requested';
      if (isCancelled) await capstan.runs.cancel(id, { by: 'example' });
    }
  };
  await Promise.all(ids.map(follow));
}
