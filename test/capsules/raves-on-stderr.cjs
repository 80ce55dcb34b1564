// Fills stderr with far more than a pipe holds, then answers.
const { writeSync } = require('node:fs');
for (let i = 0; i < 20; i += 1) writeSync(2, `${i} ${'e'.repeat(50_000)}\n`);
writeSync(2, 'the very last words\n');
console.log(JSON.stringify({ type: 'agent_response', status: 'ok', result: 'done' }));
