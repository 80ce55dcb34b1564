// Sends its lines byte by byte, multi-byte characters and all, and ends them with CR LF.
const { writeSync } = require('node:fs');
const final = { type: 'agent_response', status: 'ok', result: 'a\u2028b \u00e9 \u{1f600} \r' };
const pause = new Int32Array(new SharedArrayBuffer(4));
for (const byte of Buffer.from(`${JSON.stringify(final)}\r\n`)) {
  writeSync(1, Buffer.of(byte));
  Atomics.wait(pause, 0, 0, 1);
}
