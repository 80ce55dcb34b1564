// Writes more to stderr than an error shows, and ends without an answer.
require('node:fs').writeSync(2, 'e'.repeat(10_000));
process.exit(1);
