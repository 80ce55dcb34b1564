// Closes its stdout and stays.
const { closeSync } = require('node:fs');
process.stdin.once('data', () => {
  closeSync(1);
  setInterval(() => {}, 1_000);
});
