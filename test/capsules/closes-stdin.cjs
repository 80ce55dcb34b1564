// Asks for more than a pipe holds, and never reads an answer.
const { closeSync, writeSync } = require('node:fs');
closeSync(0);
for (let i = 0; i < 64; i += 1) {
  writeSync(1, `${JSON.stringify({ type: 'tool_call_intent', tool: 'big', args: {} })}\n`);
}
setTimeout(() => {
  writeSync(1, `${JSON.stringify({ type: 'agent_response', status: 'ok', result: 'survived' })}\n`);
}, 100);
