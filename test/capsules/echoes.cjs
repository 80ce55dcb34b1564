// Prints lines from its input, waits for the given number of replies, and responds with them.
const { createInterface } = require('node:readline');
const replies = [];
let waits;
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'coordinator_request') {
    const { lines, replies: expected } = message.context.input;
    waits = expected;
    for (const text of lines) process.stdout.write(`${text}\n`);
  } else replies.push(message);
  if (replies.length < waits) return;
  console.log(JSON.stringify({ type: 'agent_response', status: 'ok', result: replies }));
});
