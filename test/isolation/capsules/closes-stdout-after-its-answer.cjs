'use strict';
const fs = require('node:fs');
// Written and let go at once: what was said must be heard all the same.
fs.writeSync(
  1,
  `${JSON.stringify({
    type: 'agent_response',
    status: 'ok',
    result: { text: 'kept' },
    artifacts: [],
    memory_updates: [],
  })}\n`,
);
fs.closeSync(1);
setInterval(() => {}, 1_000);
