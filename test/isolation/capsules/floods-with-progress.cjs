'use strict';
const { writeSync } = require('node:fs');
const line = `${JSON.stringify({ type: 'progress', text: 'nearly there '.repeat(10) })}\n`;
for (;;) writeSync(1, line);
