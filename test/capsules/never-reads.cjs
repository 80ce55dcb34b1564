// Asks and asks, and reads no answer.
const { writeSync } = require('node:fs');
for (let i = 0; ; i += 1) {
  writeSync(1, `${JSON.stringify({ type: 'tool_call_intent', tool: 'big', args: { i } })}\n`);
}
