// Sends one line that never ends.
const { writeSync } = require('node:fs');
const chunk = 'x'.repeat(64 * 1024);
for (;;) writeSync(1, chunk);
