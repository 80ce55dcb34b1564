// Asks for something and is gone before it can be answered.
const { writeSync } = require('node:fs');
writeSync(1, '{"type":"tool_call_intent","id":"a","tool":"slow","args":{}}\n');
setTimeout(() => process.exit(4), 50);
