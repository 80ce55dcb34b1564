'use strict';
// Asks without end, each time with a megabyte, and reads no answer.
const { writeSync } = require('node:fs');
const line = Buffer.from(
  `${JSON.stringify({ type: 'tool_call_intent', tool: 'x', args: { a: 'x'.repeat(1_000_000) } })}\n`,
);
for (;;) for (let sent = 0; sent < line.length; ) sent += writeSync(1, line, sent);
