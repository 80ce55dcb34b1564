// Dies in the middle of a line, in the middle of a character.
const { writeSync } = require('node:fs');
writeSync(1, Buffer.from('{"type":"agent_response","result":"\u00e9').subarray(0, -1));
process.exit(9);
