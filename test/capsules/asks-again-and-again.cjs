// Uses up its time in slices: works a little, asks a little, for ever.
const { createInterface } = require('node:readline');
const ask = () => console.log('{"type":"tool_call_intent","tool":"quick","args":{}}');
createInterface({ input: process.stdin }).on('line', () => setTimeout(ask, 20));
