// Burns its processor while an intent of it waits for an answer, then answers with what it got.
const { writeSync } = require('node:fs');
writeSync(1, '{"type":"tool_call_intent","id":"a","tool":"slow","args":{}}\n');
const until = Date.now() + 2_000;
while (Date.now() < until);
let first = true;
process.stdin.on('data', (chunk) => {
  const lines = chunk.toString().trim().split('\n');
  const reply = JSON.parse(lines.at(-1));
  if (reply.type === 'coordinator_request') return;
  if (first) writeSync(1, '{"type":"agent_response","status":"ok","result":"patient"}\n');
  first = false;
});
