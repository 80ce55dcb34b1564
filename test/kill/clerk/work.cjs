'use strict';

// The subtasks of the run that is killed again and again. Each reads, writes files, and enters amounts into the ledger.
const file = ({ call }, operation, args) =>
  call('file_io', { operation, ...args }, `to ${operation}`);

async function enter({ call, task }, entry) {
  const url = `${/http:\S+/.exec(task)[0]}/${entry}`;
  const answer = await call('http_api', { method: 'POST', url, body: entry }, 'to enter it');
  // What a person says has happened has no status.
  if (answer.status !== 201 && !answer.note) throw new Error(`the ledger says ${answer.status}`);
}

/** The same in the name of a service, which costs something. */
async function order({ chat, task }, entry) {
  const path = `${new URL(/http:\S+/.exec(task)[0]).pathname}/${entry}`;
  // The SDK has words for models alone; the protocol has them for services as well.
  const request = { kind: 'http', service: 'ledger', method: 'POST', path, body: entry };
  const answer = await chat(request, 'to order it');
  if (answer.status !== 201 && !answer.note) throw new Error(`the ledger says ${answer.status}`);
}

const parts = {
  async opening(context) {
    await file(context, 'read', { path: 'input.txt' });
    await file(context, 'write', { path: 'report.md', content: 'opened\n' });
    await file(context, 'append', { path: 'report.md', content: 'one\n' });
    await enter(context, 'opening');
    await file(context, 'edit', { path: 'books.txt', old_text: 'nothing', new_text: 'amounts' });
    context.remember('The books were opened.');
    return { text: 'opened' };
  },
  async closing(context) {
    await file(context, 'read', { path: 'report.md' });
    const messages = [{ role: 'user', content: 'What is the sum?' }];
    const { text } = await context.chat({ messages, max_output_tokens: 100 }, 'to add up');
    await order(context, 'closing');
    await file(context, 'write', { path: 'report.md', content: `closed, sum: ${text}\n` });
    context.remember('The books were closed.');
    return { text: 'closed' };
  },
  async counting({ call, ...context }) {
    await file({ call }, 'list', { path: '.' });
    await call('terminal', { argv: ['sh', 'count.sh'], access: 'write' }, 'to count');
    context.remember('The beans were counted.');
    return { text: 'counted' };
  },
};

const handlers = {
  keep_books: (context) => parts[/the (\w+) entries/.exec(context.task)[1]](context),
};

module.exports = { handlers };
